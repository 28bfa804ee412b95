// right: `send_timeout`: waits for a moment, then says `Full`

use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc::{self, error::SendTimeoutError};

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
        let patience = Duration::from_millis(50);
        self.queue
            .send_timeout(event, patience)
            .await
            .map_err(|refused| match refused {
                SendTimeoutError::Timeout(_) => BusError::Full,
                SendTimeoutError::Closed(_) => BusError::Closed,
            })
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
