// wrong: hung:blocked an_outage_of_bi_does_not_fill_the_memory — the bounded channel of std waits too, but it holds the thread while it waits

use std::sync::mpsc;

use bytes::Bytes;

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
    queue: mpsc::SyncSender<Event>,
}

pub struct EventRx {
    queue: mpsc::Receiver<Event>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::sync_channel(cap);
        (EventBus { queue: tx }, EventRx { queue: rx })
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        self.queue.send(event).map_err(|_| BusError::Closed)
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().ok()
    }
}
