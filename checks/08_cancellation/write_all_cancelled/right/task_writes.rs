// right: a task owns the link and is never interrupted; the limit is on waiting for its word

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

enum Order {
    Write(Bytes, oneshot::Sender<io::Result<()>>),
    Flush(oneshot::Sender<io::Result<()>>),
}

pub struct Uplink<W> {
    // The contract keeps whatever is sent; a real one would say no at some point.
    orders: mpsc::UnboundedSender<Order>,
    link: std::marker::PhantomData<W>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(mut link: W) -> Self {
        let (orders, mut next) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut broken = None;
            while let Some(order) = next.recv().await {
                let (result, caller) = match (order, broken) {
                    (Order::Write(_, caller) | Order::Flush(caller), Some(kind)) => {
                        (Err(io::Error::from(kind)), caller)
                    }
                    (Order::Write(frame, caller), None) => (link.write_all(&frame).await, caller),
                    (Order::Flush(caller), None) => (link.flush().await, caller),
                };
                broken = broken.or(result.as_ref().err().map(io::Error::kind));
                let _ = caller.send(result);
            }
        });
        Uplink {
            orders,
            link: std::marker::PhantomData,
        }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        let (caller, answer) = oneshot::channel();
        let _ = self.orders.send(Order::Write(frame, caller));
        match timeout(limit, answer).await {
            Ok(written) => written.expect("the task lives").map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        let (caller, answer) = oneshot::channel();
        let _ = self.orders.send(Order::Flush(caller));
        answer.await.expect("the task lives")
    }
}
