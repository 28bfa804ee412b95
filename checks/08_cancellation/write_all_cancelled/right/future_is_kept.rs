// right: `write_all` stays: its future is kept, and the next call goes on with it

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

pub struct Uplink<W> {
    /// Here, or with the future.
    link: Option<W>,
    writing: Option<BoxFuture<'static, (W, io::Result<()>)>>,
    waiting: VecDeque<Bytes>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        Uplink {
            link: Some(link),
            writing: None,
            waiting: VecDeque::new(),
        }
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
        match &mut self.link {
            Some(link) => link.flush().await,
            None => unreachable!("nothing is being written"),
        }
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        loop {
            if let Some(writing) = &mut self.writing {
                let (link, written) = writing.await;
                self.link = Some(link);
                self.writing = None;
                written?;
            }
            let Some(frame) = self.waiting.pop_front() else {
                return Ok(());
            };
            let mut link = self.link.take().unwrap();
            let write = async move {
                let written = link.write_all(&frame).await;
                (link, written)
            };
            self.writing = Some(write.boxed());
        }
    }
}
