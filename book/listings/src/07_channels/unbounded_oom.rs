//! A queue without a bound, and three ways to give it one.

#![allow(
    clippy::disallowed_methods,
    reason = "the unbounded channel is what is shown"
)]

use std::time::Duration;

use tokio::sync::mpsc::{self, error::SendTimeoutError, error::TrySendError};

pub struct Event(pub u64);

#[derive(Debug)]
pub enum BusError {
    Full,
    Closed,
}

// ANCHOR: fault
/// Not `async` inside: there is nothing that this function could ever wait for.
pub async fn emit(queue: &mpsc::UnboundedSender<Event>, event: Event) -> Result<(), BusError> {
    queue.send(event).map_err(|_| BusError::Closed)
}
// ANCHOR_END: fault

// ANCHOR: full_is_an_answer
pub async fn emit_or_full(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), BusError> {
    queue.try_send(event).map_err(|refused| match refused {
        TrySendError::Full(_) => BusError::Full,
        TrySendError::Closed(_) => BusError::Closed,
    })
}
// ANCHOR_END: full_is_an_answer

// ANCHOR: waits_a_little
pub async fn emit_soon(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), BusError> {
    let sent = queue.send_timeout(event, Duration::from_millis(50)).await;
    sent.map_err(|refused| match refused {
        SendTimeoutError::Timeout(_) => BusError::Full,
        SendTimeoutError::Closed(_) => BusError::Closed,
    })
}
// ANCHOR_END: waits_a_little

// ANCHOR: reserves_room_first
pub async fn emit_in_a_place(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), BusError> {
    let place = queue.reserve().await.map_err(|_| BusError::Closed)?;
    place.send(event);
    Ok(())
}
// ANCHOR_END: reserves_room_first

// ANCHOR: a_task_per_event
/// Wrong: the queue is bounded, the tasks that wait for it are not.
pub async fn emit_later(queue: &mpsc::Sender<Event>, event: Event) -> Result<(), BusError> {
    let queue = queue.clone();
    tokio::spawn(async move { queue.send(event).await });
    Ok(())
}
// ANCHOR_END: a_task_per_event
