// right: ugly: it looks for room every ten milliseconds, but it waits without holding anything up

use bytes::Bytes;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::{Duration, sleep};

pub struct Event {
    pub tx: u64,
    pub raw: Bytes,
    pub record: [u8; 1024],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusError {
    Full,
    Closed,
}

pub struct EventBus {
    queue: mpsc::Sender<Event>,
}

pub struct EventRx {
    queue: mpsc::Receiver<Event>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::channel(cap);
        (EventBus { queue: tx }, EventRx { queue: rx })
    }

    pub async fn emit(&self, mut event: Event) -> Result<(), BusError> {
        loop {
            match self.queue.try_send(event) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Closed(_)) => return Err(BusError::Closed),
                Err(TrySendError::Full(again)) => event = again,
            }
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
