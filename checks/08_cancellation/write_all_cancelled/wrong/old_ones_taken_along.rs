// wrong: check_failed a_caller_who_gives_up_costs_no_earlier_sale — what was kept is taken out to be written, and put back at the limit only

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
        let mut old = std::mem::take(&mut self.waiting);
        let mut new = Some(frame);
        let writing = async {
            while let Some(frame) = old.front_mut() {
                self.link.write_all_buf(frame).await?;
                old.pop_front();
            }
            self.waiting.extend(new.take());
            self.write_waiting().await
        };
        match timeout(limit, writing).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => {
                old.extend(self.waiting.drain(..));
                old.extend(new);
                self.waiting = old;
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
