use tokio::sync::mpsc::Sender;
use tokio::time::{Duration, timeout};

pub struct Event;

pub enum EmitError {
    Busy(Event),
    Closed(Event),
}

// ANCHOR: moved
pub async fn try_emit(queue: &Sender<Event>, event: Event) -> Result<(), EmitError> {
    match timeout(Duration::from_millis(50), queue.send(event)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(refused)) => Err(EmitError::Closed(refused.0)),
        Err(_elapsed) => Err(EmitError::Busy(event)),
    }
}
// ANCHOR_END: moved

fn main() {}
