// wrong: check_failed the_limit_is_kept — the limit is for the first byte; a frame that has begun is written to its end

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::{Buf, Bytes};
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
        let first = self.waiting.front_mut().unwrap();
        match timeout(limit, self.link.write(first)).await {
            Ok(Ok(written)) => first.advance(written),
            Ok(Err(error)) => return Err(SendError::Io(error)),
            Err(_) => return Err(SendError::Timeout),
        }
        self.write_waiting().await.map_err(SendError::Io)
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
