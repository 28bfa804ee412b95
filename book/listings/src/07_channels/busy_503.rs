//! Waiting for a place in a queue, but not for ever, and keeping what was to be sent.

use tokio::sync::mpsc::{self, error::SendError};
use tokio::time::{Duration, sleep, timeout};

pub struct Event {
    pub tx: u64,
}

pub enum EmitError {
    Busy(Event),
    Closed(Event),
}

const PATIENCE: Duration = Duration::from_millis(50);

// ANCHOR: fault
pub async fn emit(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), EmitError> {
    match queue.send(event).await {
        Ok(()) => Ok(()),
        Err(SendError(event)) => Err(EmitError::Closed(event)),
    }
}
// ANCHOR_END: fault

// ANCHOR: reserve
pub async fn emit_in_a_place(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), EmitError> {
    match timeout(PATIENCE, queue.reserve()).await {
        Ok(Ok(place)) => {
            place.send(event);
            Ok(())
        }
        Ok(Err(_)) => Err(EmitError::Closed(event)),
        Err(_) => Err(EmitError::Busy(event)),
    }
}
// ANCHOR_END: reserve

// ANCHOR: select
pub async fn emit_or_give_up(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), EmitError> {
    tokio::select! {
        place = queue.reserve() => match place {
            Ok(place) => {
                place.send(event);
                Ok(())
            }
            Err(_) => Err(EmitError::Closed(event)),
        },
        () = sleep(PATIENCE) => Err(EmitError::Busy(event)),
    }
}
// ANCHOR_END: select

// ANCHOR: made_up
/// Wrong: answers in time, and what it gives back is not the event.
pub async fn emit_and_make_up(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), EmitError> {
    let tx = event.tx;
    match timeout(PATIENCE, queue.send(event)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(SendError(event))) => Err(EmitError::Closed(event)),
        Err(_elapsed) => Err(EmitError::Busy(Event { tx })),
    }
}
// ANCHOR_END: made_up
