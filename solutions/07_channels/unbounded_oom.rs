//! Every payment is told to BI through this bus. Last night BI was down for half an hour: memory went
//! from 240 MB to 13 GB, the kernel killed the gateway, and all events not yet sent were gone.
//! Keep as they are, the checks use them: `Event`, `BusError`, `EventBus::{new, emit}`, `EventRx::next`.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytes::Bytes;
use tokio::{sync::mpsc, time::Duration};

pub struct Event {
    pub tx: u64,
    /// The customer's request as it came in.
    pub raw: Bytes,
    /// BI takes records of fixed width.
    pub record: [u8; 1024],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusError {
    Full,
    Closed,
}

// ANCHOR: sides
pub struct EventBus {
    queue: mpsc::Sender<Event>,
}

pub struct EventRx {
    queue: mpsc::Receiver<Event>,
}
// ANCHOR_END: sides

// ANCHOR: fix
impl EventBus {
    /// A bus where `cap` events can wait for BI, and no more.
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        println!("the event bus is up, room for {cap} events");
        let (tx, rx) = mpsc::channel(cap);
        (EventBus { queue: tx }, EventRx { queue: rx })
    }

    /// `Ok`: BI will get the event, in the order of the calls. While `cap` events wait, `emit` either
    /// waits too or answers `Full`; a call that is dropped while it waits has emitted nothing. Once the
    /// receiver is gone it answers `Closed`, full or not.
    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        // Waiting here is the signal: whoever pays feels that BI is behind, before memory does.
        // To answer `Full` at once instead, `try_send`; it is the caller who knows which is better.
        self.queue.send(event).await.map_err(|_| BusError::Closed)
    }
}
// ANCHOR_END: fix

impl EventRx {
    /// The next event, or `None` when the bus is gone and everything was read. A call that is dropped
    /// while it waits takes no event along.
    pub async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}

static TAKEN: AtomicUsize = AtomicUsize::new(0);

#[tokio::main]
async fn main() {
    let (bus, mut bi) = EventBus::new(1_000);
    let payments = tokio::spawn(async move {
        for tx in 0..40_000 {
            let (raw, record) = (Bytes::new(), [0; 1024]);
            match bus.emit(Event { tx, raw, record }).await {
                Ok(()) => TAKEN.fetch_add(1, Relaxed),
                Err(refusal) => return println!("payment {tx} told BI nothing: {refusal:?}"),
            };
            if tx % 50 == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    });
    for minutes in [10, 20, 30] {
        tokio::time::sleep(Duration::from_millis(150)).await;
        println!("BI is down for {minutes} minutes: {TAKEN:?} events of 1 KiB wait in memory");
    }
    while bi.next().await.is_some() {}
    println!("BI is back and read {TAKEN:?} events");
    payments.await.unwrap();
}
