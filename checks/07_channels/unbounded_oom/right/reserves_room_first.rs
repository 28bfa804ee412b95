// right: room is reserved before the event is given away

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
        let room = self.queue.reserve().await.map_err(|_| BusError::Closed)?;
        room.send(event);
        Ok(())
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
