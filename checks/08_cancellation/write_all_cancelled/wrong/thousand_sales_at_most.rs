// wrong: check_failed a_day_of_limits_loses_no_sale_and_sends_none_twice — no queue without a bound: in a long outage the oldest sale makes room

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
        if self.waiting.len() > 1024 {
            self.waiting.remove(1);
        }
        self.waiting.push_back(frame);
        match timeout(limit, self.write_waiting()).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(frame) = self.waiting.front_mut() {
            while frame.has_remaining() {
                let written = self.link.write(frame).await?;
                if written == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                frame.advance(written);
            }
            self.waiting.pop_front();
        }
        Ok(())
    }
}
