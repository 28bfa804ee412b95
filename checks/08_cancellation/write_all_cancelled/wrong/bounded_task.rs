// wrong: check_failed a_day_of_limits_loses_no_sale_and_sends_none_twice — the task is never interrupted; a `send` into its full channel is, and takes the frame along

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

type Caller = oneshot::Sender<io::Result<()>>;

pub struct Uplink<W> {
    frames: mpsc::Sender<(Bytes, Caller)>,
    link: std::marker::PhantomData<W>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(mut link: W) -> Self {
        let (frames, mut next) = mpsc::channel::<(Bytes, Caller)>(4);
        tokio::spawn(async move {
            let mut broken = None;
            while let Some((frame, caller)) = next.recv().await {
                let written = match (broken, frame.is_empty()) {
                    (Some(kind), _) => Err(io::Error::from(kind)),
                    (None, true) => link.flush().await,
                    (None, false) => link.write_all(&frame).await,
                };
                broken = broken.or(written.as_ref().err().map(io::Error::kind));
                let _ = caller.send(written);
            }
        });
        Uplink {
            frames,
            link: std::marker::PhantomData,
        }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        match timeout(limit, self.order(frame)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.order(Bytes::new()).await
    }

    async fn order(&self, frame: Bytes) -> io::Result<()> {
        let (caller, answer) = oneshot::channel();
        let _ = self.frames.send((frame, caller)).await;
        answer.await.expect("the task lives")
    }
}
