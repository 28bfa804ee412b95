//! A future is a plan: what it holds before the first poll, and the names that look as if they ran it.

use std::cell::Cell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub trait Log {
    fn note(&self, till: u64) -> impl Future<Output = ()>;
}

// ANCHOR: fault
#[allow(clippy::let_underscore_future, reason = "the fault of this page")]
pub async fn close_till(till: u64, log: &impl Log) {
    let _ = log.note(till);
}
// ANCHOR_END: fault

// ANCHOR: by_hand
/// What `.await` and an executor do, by hand: the body starts with the first poll, not with the call.
pub fn runs_from_the_first_poll() -> [bool; 2] {
    let ran = Cell::new(false);
    let mut note = pin!(async { ran.set(true) });
    let after_the_call = ran.get();

    let mut context = Context::from_waker(Waker::noop());
    let poll = note.as_mut().poll(&mut context);
    assert_eq!(poll, Poll::Ready(()));
    [after_the_call, ran.get()]
}
// ANCHOR_END: by_hand

#[test]
fn the_call_runs_nothing_and_the_poll_does() {
    assert_eq!(runs_from_the_first_poll(), [false, true]);
}
