// wrong: check_failed bi_gets_every_event_of_a_quiet_day — a count that the reader never takes down: after so many payments the bus is full for ever

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
    taken: AtomicUsize,
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
                taken: AtomicUsize::new(0),
                cap,
            },
            EventRx { queue: rx },
        )
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        if self.queue.is_closed() {
            return Err(BusError::Closed);
        }
        if self.taken.fetch_add(1, SeqCst) >= self.cap {
            return Err(BusError::Full);
        }
        self.queue.send(event).map_err(|_| BusError::Closed)
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
