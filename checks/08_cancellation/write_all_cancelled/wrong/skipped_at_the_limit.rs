// wrong: check_failed a_limit_in_mid_sale_garbles_no_line — what was cut off is dropped, so that nothing is sent twice

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
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let waiting = VecDeque::new();
        Uplink { link, waiting }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        self.waiting.push_back(frame);
        match timeout(limit, self.write_waiting()).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => {
                self.waiting.pop_front();
                Err(SendError::Timeout)
            }
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(frame) = self.waiting.front() {
            self.link.write_all(frame).await?;
            self.waiting.pop_front();
        }
        Ok(())
    }
}
