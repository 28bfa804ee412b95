// wrong: check_failed a_payment_that_stops_waiting_has_emitted_nothing — each call draws a number and waits for its turn; a number that was given up keeps its place

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::sleep;

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
        self.waiting.fetch_add(1, SeqCst);
        while self.waiting.load(SeqCst) > self.cap {
            if self.queue.is_closed() {
                return Err(BusError::Closed);
            }
            sleep(Duration::from_millis(10)).await;
        }
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
