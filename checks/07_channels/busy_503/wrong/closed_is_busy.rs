// wrong: check_failed a_bus_without_bi_says_so_at_once — every error is called Busy

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
        match self
            .queue
            .send_timeout(event, Duration::from_millis(50))
            .await
        {
            Ok(()) => Ok(()),
            Err(error) => Err(EmitError::Busy(error.into_inner())),
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
