// right: no queue of frames: all that is not out is one buffer

use std::io;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

pub struct Uplink<W> {
    link: W,
    waiting: BytesMut,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let waiting = BytesMut::new();
        Uplink { link, waiting }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        self.waiting.extend_from_slice(&frame);
        match timeout(limit, self.link.write_all_buf(&mut self.waiting)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.link.write_all_buf(&mut self.waiting).await?;
        self.link.flush().await
    }
}
