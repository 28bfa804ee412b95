// right: the channel has no bound, but each event needs a permit that only the reader gives back

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{Semaphore, mpsc};

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
    room: Arc<Semaphore>,
}

pub struct EventRx {
    queue: mpsc::UnboundedReceiver<Event>,
    room: Arc<Semaphore>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::unbounded_channel();
        let room = Arc::new(Semaphore::new(cap));
        (
            EventBus {
                queue: tx,
                room: room.clone(),
            },
            EventRx { queue: rx, room },
        )
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        self.room
            .acquire()
            .await
            .map_err(|_| BusError::Closed)?
            .forget();
        self.queue.send(event).map_err(|_| BusError::Closed)
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        let event = self.queue.recv().await?;
        self.room.add_permits(1);
        Some(event)
    }
}

impl Drop for EventRx {
    fn drop(&mut self) {
        self.room.close();
    }
}
