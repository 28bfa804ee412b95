// wrong: check_failed two_tills_are_kept_apart — the position outlives the future, and belongs to every link

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

static SENT: AtomicUsize = AtomicUsize::new(0);

pub struct Uplink<W> {
    link: W,
    waiting: VecDeque<Bytes>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let waiting = VecDeque::new();
        SENT.store(0, SeqCst);
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
        while let Some(frame) = self.waiting.front() {
            loop {
                let sent = SENT.load(SeqCst);
                if sent >= frame.len() {
                    break;
                }
                let n = self.link.write(&frame[sent..]).await?;
                if n == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                SENT.store(sent + n, SeqCst);
            }
            SENT.store(0, SeqCst);
            self.waiting.pop_front();
        }
        Ok(())
    }
}
