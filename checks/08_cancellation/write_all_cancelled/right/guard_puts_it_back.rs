// right: a guard has the frame, and its drop puts the rest back, whoever drops it

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
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(frame) = self.waiting.pop_front() {
            let mut rest = Rest {
                frame,
                waiting: &mut self.waiting,
            };
            self.link.write_all_buf(&mut rest.frame).await?;
        }
        Ok(())
    }
}

struct Rest<'a> {
    frame: Bytes,
    waiting: &'a mut VecDeque<Bytes>,
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        if !self.frame.is_empty() {
            self.waiting.push_front(std::mem::take(&mut self.frame));
        }
    }
}
