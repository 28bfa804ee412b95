//! Measuring a future: around its await, and around its polls.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

// ANCHOR: fault
pub async fn timed<F: Future>(call: &'static str, work: F) -> F::Output {
    let start = Instant::now();
    let output = work.await;
    println!("{call}: {:?}", start.elapsed());
    output
}
// ANCHOR_END: fault

// ANCHOR: by_hand
pub struct Metered<F> {
    call: &'static str,
    work: Pin<Box<F>>,
    polls: u32,
    busy: Duration,
    completed: bool,
}

pub fn metered<F: Future>(call: &'static str, work: F) -> Metered<F> {
    Metered {
        call,
        work: Box::pin(work),
        polls: 0,
        busy: Duration::ZERO,
        completed: false,
    }
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.polls += 1;
        let start = Instant::now();
        let polled = self.work.as_mut().poll(context);
        self.busy += start.elapsed();
        self.completed = polled.is_ready();
        polled
    }
}

/// Not in `poll`: a future that is dropped half-way has a last poll, and does not know that it is the last.
impl<F> Drop for Metered<F> {
    fn drop(&mut self) {
        if self.polls > 0 {
            println!(
                "{}: {} polls, busy for {:?}, completed: {}",
                self.call, self.polls, self.busy, self.completed
            );
        }
    }
}
// ANCHOR_END: by_hand

// ANCHOR: at_ready
/// Wrong: the last lines are those of a future that came to its end. Others have none.
pub async fn counted<F: Future>(call: &'static str, work: F) -> F::Output {
    let mut work = std::pin::pin!(work);
    let mut polls = 0;
    let output = std::future::poll_fn(|context| {
        polls += 1;
        work.as_mut().poll(context)
    })
    .await;
    println!("{call}: {polls} polls");
    output
}
// ANCHOR_END: at_ready
