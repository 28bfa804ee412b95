// wrong: check_failed a_sale_is_out_when_send_says_ok — `send` only puts it in the queue, so it is never late

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};

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

    pub async fn send(&mut self, frame: Bytes, _limit: Duration) -> Result<(), SendError> {
        self.waiting.push_back(frame);
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
