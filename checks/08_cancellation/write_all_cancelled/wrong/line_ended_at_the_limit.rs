// wrong: check_failed a_limit_in_mid_sale_garbles_no_line — a newline first, so that headquarters can skip the half line: it is still a line that nobody sold

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

pub struct Uplink<W> {
    link: W,
    waiting: VecDeque<Bytes>,
    cut_off: bool,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let waiting = VecDeque::new();
        Uplink {
            link,
            waiting,
            cut_off: false,
        }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        self.waiting.push_back(frame);
        match timeout(limit, self.write_waiting()).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => {
                self.cut_off = true;
                Err(SendError::Timeout)
            }
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        if self.cut_off {
            self.link.write_all(b"\n").await?;
            self.cut_off = false;
        }
        while let Some(frame) = self.waiting.front() {
            self.link.write_all(frame).await?;
            self.waiting.pop_front();
        }
        Ok(())
    }
}
