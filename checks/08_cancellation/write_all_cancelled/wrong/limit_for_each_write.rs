// wrong: check_failed the_limit_is_kept — no write takes long, and a link that trickles holds the till for ever

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
        while let Some(frame) = self.waiting.front_mut() {
            while frame.has_remaining() {
                match timeout(limit, self.link.write(frame)).await {
                    Ok(Ok(written)) => frame.advance(written),
                    Ok(Err(error)) => return Err(SendError::Io(error)),
                    Err(_) => return Err(SendError::Timeout),
                }
            }
            self.waiting.pop_front();
        }
        Ok(())
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
