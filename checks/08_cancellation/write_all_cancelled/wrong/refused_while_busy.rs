// wrong: check_failed flush_waits_until_all_sales_are_out — one frame is kept; while it waits a new one is answered with Timeout, and is not kept

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
    rest: Bytes,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let rest = Bytes::new();
        Uplink { link, rest }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        let writing = async {
            self.link.write_all_buf(&mut self.rest).await?;
            self.rest = frame;
            self.link.write_all_buf(&mut self.rest).await
        };
        match timeout(limit, writing).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.link.write_all_buf(&mut self.rest).await?;
        self.link.flush().await
    }
}
