//! A span around some async work: the guard that follows the thread, and what follows the future.

#![allow(
    clippy::await_holding_invalid_type,
    clippy::disallowed_methods,
    reason = "a guard across an await, and a task by itself, are what is shown"
)]

use std::future::poll_fn;
use std::pin::pin;

use tracing::{Instrument, info, info_span, instrument};

pub async fn charge(user: u64) -> u64 {
    info!("user {user} is asked for the PIN");
    tokio::task::yield_now().await;
    1_000 + user
}

// ANCHOR: fault
pub async fn pay(user: u64) {
    let span = info_span!("pay", user);
    let _entered = span.enter();
    // The thread goes away from here, and takes the span along.
    let tx = charge(user).await;
    info!(tx, "charged");
}
// ANCHOR_END: fault

// ANCHOR: attribute
#[instrument(name = "pay", skip_all, fields(user = user))]
pub async fn pay_by_attribute(user: u64, _card: &str) {
    let tx = charge(user).await;
    info!(tx, "charged");
}
// ANCHOR_END: attribute

// ANCHOR: call_and_outcome
pub async fn pay_in_two_parts(user: u64) {
    let span = info_span!("pay", user);
    let tx = charge(user).instrument(span.clone()).await;
    span.in_scope(|| info!(tx, "charged"));
}
// ANCHOR_END: call_and_outcome

// ANCHOR: by_hand
pub async fn pay_by_hand(user: u64) {
    let span = info_span!("pay", user);
    let mut paying = pin!(async {
        let tx = charge(user).await;
        info!(tx, "charged");
    });
    poll_fn(|context| {
        let _entered = span.enter();
        paying.as_mut().poll(context)
    })
    .await
}
// ANCHOR_END: by_hand

// ANCHOR: spawned
pub fn pay_in_a_task(user: u64) -> tokio::task::JoinHandle<u64> {
    let span = info_span!("pay", user);
    // A task begins outside of all spans. What it should stand in, it has to be given.
    tokio::spawn(charge(user).instrument(span))
}
// ANCHOR_END: spawned

// ANCHOR: in_scope_of_the_call
/// Wrong: the closure returns a future, and has returned before anything in that future ran.
pub async fn pay_in_scope(user: u64) {
    let span = info_span!("pay", user);
    let tx = span.in_scope(|| charge(user)).await;
    info!(tx, "charged");
}
// ANCHOR_END: in_scope_of_the_call
