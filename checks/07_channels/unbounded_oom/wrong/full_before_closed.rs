// wrong: check_failed a_bus_that_nobody_reads_any_more_says_closed — the count is looked at first, and a full bus never hears that BI is gone

use std::sync::Arc;
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
    waiting: Arc<AtomicUsize>,
    cap: usize,
}

pub struct EventRx {
    queue: mpsc::UnboundedReceiver<Event>,
    waiting: Arc<AtomicUsize>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let bus = EventBus {
            queue: tx,
            waiting: waiting.clone(),
            cap,
        };
        (bus, EventRx { queue: rx, waiting })
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        let more = |waiting| (waiting < self.cap).then_some(waiting + 1);
        let room = self.waiting.fetch_update(SeqCst, SeqCst, more);
        room.map_err(|_| BusError::Full)?;
        self.queue.send(event).map_err(|_| BusError::Closed)
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        let event = self.queue.recv().await?;
        self.waiting.fetch_sub(1, SeqCst);
        Some(event)
    }
}
