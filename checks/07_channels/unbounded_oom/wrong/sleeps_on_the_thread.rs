// wrong: hung:blocked an_outage_of_bi_does_not_fill_the_memory — waits for room with `thread::sleep`: while it waits nobody can make room

use std::{thread, time::Duration};

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

    pub async fn emit(&self, mut event: Event) -> Result<(), BusError> {
        loop {
            match self.queue.try_send(event) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Closed(_)) => return Err(BusError::Closed),
                Err(TrySendError::Full(again)) => event = again,
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
