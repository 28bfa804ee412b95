// wrong: check_failed a_caller_who_gives_up_garbles_no_line — the rest is put back when the limit strikes, and not when the caller is dropped

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
        let mut rest = self.waiting.drain(..).collect::<Vec<_>>().concat();
        let mut bytes = Bytes::from(std::mem::take(&mut rest));
        match timeout(limit, self.link.write_all_buf(&mut bytes)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => {
                self.waiting.push_back(bytes);
                Err(SendError::Timeout)
            }
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(frame) = self.waiting.front_mut() {
            self.link.write_all_buf(frame).await?;
            self.waiting.pop_front();
        }
        Ok(())
    }
}
