// wrong: over_memory an_outage_of_bi_does_not_fill_the_memory — a warning in the log when the cap is passed, and the event goes in all the same

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use bytes::Bytes;
use tokio::sync::mpsc;

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
    queue: mpsc::UnboundedSender<Event>,
    waiting: AtomicUsize,
    cap: usize,
}

pub struct EventRx {
    queue: mpsc::UnboundedReceiver<Event>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::unbounded_channel();
        (
            EventBus {
                queue: tx,
                waiting: AtomicUsize::new(0),
                cap,
            },
            EventRx { queue: rx },
        )
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        let waiting = self.waiting.fetch_add(1, SeqCst);
        if waiting == self.cap {
            eprintln!("event bus: {waiting} events wait, cap is {}", self.cap);
        }
        self.queue.send(event).map_err(|_| BusError::Closed)
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
