// wrong: check_failed a_payment_that_stops_waiting_has_emitted_nothing — a task waits for room; whoever gives up waiting for the task leaves it there with the event

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

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
        match self.queue.try_send(event) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(BusError::Closed),
            Err(TrySendError::Full(event)) => {
                let queue = self.queue.clone();
                let sent = tokio::spawn(async move { queue.send(event).await }).await;
                sent.unwrap().map_err(|_| BusError::Closed)
            }
        }
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
