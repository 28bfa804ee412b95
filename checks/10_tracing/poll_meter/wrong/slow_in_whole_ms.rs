// wrong: check_failed a_poll_that_holds_the_worker_is_slow_and_a_wait_is_not — compared in whole milliseconds: where `slow` is shorter, all is slow

use std::future::poll_fn;
use std::pin::{Pin, pin};
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
    /// Also the one that is ready. One that panics may count or not, here, in `busy` and in `slow_polls`.
    pub polls: u32,
    /// The time inside of polls: that long it has held a worker.
    pub busy: Duration,
    /// The time from its first poll until it is ready, panics or is dropped. The drop of `f` itself may count or not.
    pub wall: Duration,
    /// Polls that took longer than `slow`. One of exactly `slow` may count or not.
    pub slow_polls: u32,
    /// False if it was dropped, or panicked, before it was ready.
    pub completed: bool,
}

/// Runs `f`, and records one sample of it, however it ends. What was never polled has not begun, and gives none.
/// What can be spawned still can, and whoever waits for `f` has the same output, wake-ups or panic as before.
pub fn metered<F: Future>(
    cat: &'static str,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    f: F,
) -> impl Future<Output = F::Output> {
    async move {
        let mut meter = Meter {
            start: clock.now(),
            clock,
            sink,
            slow,
            sample: Sample {
                cat,
                polls: 0,
                busy: Duration::ZERO,
                wall: Duration::ZERO,
                slow_polls: 0,
                completed: false,
            },
        };
        let mut f = pin!(f);
        let output = poll_fn(|context| meter.poll(f.as_mut(), context)).await;
        meter.sample.completed = true;
        output
    }
}

struct Meter {
    start: Duration,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    sample: Sample,
}

impl Meter {
    /// From outside an `.await` is one stretch of time. Only here is it seen when `f` has the worker and when it waits.
    fn poll<F: Future>(&mut self, f: Pin<&mut F>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.sample.polls += 1;
        let before = self.clock.now();
        let answer = f.poll(context);
        let held = self.clock.now() - before;
        self.sample.busy += held;
        self.sample.slow_polls += u32::from(held.as_millis() >= self.slow.as_millis());
        answer
    }
}

/// A future that is given up is dropped, and no line after its `.await` runs any more. Drops do.
impl Drop for Meter {
    fn drop(&mut self) {
        self.sample.wall = self.clock.now() - self.start;
        self.sink.record(self.sample);
    }
}

/// By nearest rank: the smallest sample of which at least the part `q` (0 to 1) of all are no larger. Zero for none.
pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}
