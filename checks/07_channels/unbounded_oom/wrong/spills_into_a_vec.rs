// wrong: over_memory an_outage_of_bi_does_not_fill_the_memory — what does not fit into the channel waits beside it, without a bound

use std::collections::VecDeque;
use std::sync::Mutex;

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
    spilled: Mutex<VecDeque<Event>>,
}

pub struct EventRx {
    queue: mpsc::Receiver<Event>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::channel(cap);
        (
            EventBus {
                queue: tx,
                spilled: Mutex::default(),
            },
            EventRx { queue: rx },
        )
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        let mut spilled = self.spilled.lock().unwrap();
        spilled.push_back(event);
        while let Some(next) = spilled.pop_front() {
            match self.queue.try_send(next) {
                Ok(()) => {}
                Err(TrySendError::Closed(_)) => return Err(BusError::Closed),
                Err(TrySendError::Full(next)) => {
                    spilled.push_front(next);
                    break;
                }
            }
        }
        Ok(())
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}
