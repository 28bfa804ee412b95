// right: `try_send`: the caller hears `Full` at once and decides

use bytes::Bytes;
use tokio::sync::mpsc::{self, error::TrySendError};

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

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        self.queue.try_send(event).map_err(|refused| match refused {
            TrySendError::Full(_) => BusError::Full,
            TrySendError::Closed(_) => BusError::Closed,
        })
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
