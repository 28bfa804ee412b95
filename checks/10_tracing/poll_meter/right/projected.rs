// right: a future of its own without a box: the pin is handed on by hand

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

pub trait Clock: Send + Sync {
    fn now(&self) -> Duration;
}

pub trait Sink: Send + Sync {
    fn record(&self, sample: Sample);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub cat: &'static str,
    pub polls: u32,
    pub busy: Duration,
    pub wall: Duration,
    pub slow_polls: u32,
    pub completed: bool,
}

pub fn metered<F: Future>(
    cat: &'static str,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    f: F,
) -> impl Future<Output = F::Output> {
    Metered {
        f: f,
        clock,
        sink,
        slow,
        start: None,
        sample: Sample {
            cat,
            polls: 0,
            busy: Duration::ZERO,
            wall: Duration::ZERO,
            slow_polls: 0,
            completed: false,
        },
    }
}

struct Metered<F> {
    f: F,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    start: Option<Duration>,
    sample: Sample,
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: `f` is not moved out of it, and its drop moves nothing.
        let this = unsafe { self.get_unchecked_mut() };
        let before = this.clock.now();
        this.start.get_or_insert(before);
        this.sample.polls += 1;
        let answer = unsafe { Pin::new_unchecked(&mut this.f) }.poll(context);
        let held = this.clock.now() - before;
        this.sample.busy += held;
        this.sample.slow_polls += u32::from(held >= this.slow);
        this.sample.completed = answer.is_ready();
        if answer.is_ready() {
            this.end();
        }
        answer
    }
}

impl<F> Metered<F> {
    /// Once: at its end, or where it is dropped.
    fn end(&mut self) {
        if let Some(start) = self.start.take() {
            self.sample.wall = self.clock.now() - start;
            self.sink.record(self.sample);
        }
    }
}

impl<F> Drop for Metered<F> {
    fn drop(&mut self) {
        self.end();
    }
}

pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}
