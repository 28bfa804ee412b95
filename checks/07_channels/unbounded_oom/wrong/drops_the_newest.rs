// wrong: check_failed what_emit_took_reaches_bi_once_and_in_order — `try_send` whose answer nobody reads: what does not fit is gone, and emit says Ok

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
        if self.queue.is_closed() {
            return Err(BusError::Closed);
        }
        let _ = self.queue.try_send(event);
        Ok(())
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
