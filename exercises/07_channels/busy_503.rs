//! Since the bus to BI has a bound, memory is safe. Last night BI was down again, and now the requests of
//! the shops hung with it: no answer, not even an error, until the load balancer cut them off.
//! Keep as they are, the checks use them: `Event`, `EmitError`, `EventBus::{new, try_emit}`, `post_event`.

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, timeout};

#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    pub tx: u64,
    pub payload: Bytes,
}

/// The event was not taken, and comes back: the caller can write it to the spill file, or try again.
#[derive(Debug, PartialEq, Eq)]
pub enum EmitError {
    /// BI is behind: 50 ms were not enough to get a place in the queue.
    Busy(Event),
    /// BI is gone for good.
    Closed(Event),
}

pub struct EventBus {
    queue: mpsc::Sender<Event>,
}

impl EventBus {
    /// A bus where `cap` events can wait for BI.
    pub fn new(cap: usize) -> (EventBus, mpsc::Receiver<Event>) {
        let (queue, bi) = mpsc::channel(cap);
        (EventBus { queue }, bi)
    }

    /// `Ok`: BI gets the event. It waits until there is a place, for 50 ms at most.
    pub async fn try_emit(&self, event: Event) -> Result<(), EmitError> {
        // TODO: until when does this wait, and who has the event meanwhile?
        match self.queue.send(event).await {
            Ok(()) => Ok(()),
            Err(mpsc::error::SendError(event)) => Err(EmitError::Closed(event)),
        }
    }
}

/// What the shop is told of `try_emit`: 202 taken, 503 come again (the event is not taken), 500 broken.
pub async fn post_event(bus: &EventBus, event: Event) -> u16 {
    match bus.try_emit(event).await {
        Ok(()) => 202,
        Err(EmitError::Busy(_)) => 503,
        Err(EmitError::Closed(_)) => 500,
    }
}

#[tokio::main]
async fn main() {
    let (bus, _bi_is_down) = EventBus::new(2);
    let start = Instant::now();
    for tx in 1..=4 {
        let payload = Bytes::from_static(b"{ \"won\": 12000 }");
        let request = post_event(&bus, Event { tx, payload });
        let status = timeout(Duration::from_secs(1), request).await;
        let after = start.elapsed().as_millis();
        match status {
            Ok(status) => println!("{after:>5} ms: payment {tx} is answered {status}"),
            Err(_) => println!("{after:>5} ms: payment {tx} hangs, the load balancer cuts it off"),
        }
    }
}
