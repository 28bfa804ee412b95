// wrong: check_failed the_till_hears_why_the_link_broke — nothing interrupts a task, and nobody hears of its error after the limit

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

pub struct Uplink<W> {
    link: Arc<Mutex<W>>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let link = Arc::new(Mutex::new(link));
        Uplink { link }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        let link = self.link.clone();
        let writing = tokio::spawn(async move { link.lock().await.write_all(&frame).await });
        match timeout(limit, writing).await {
            Ok(written) => written.unwrap().map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.link.lock().await.flush().await
    }
}
