// wrong: check_failed a_call_that_crashes_is_in_the_figures — asks for the next poll at once, so that none is missed

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
    fn poll<F: Future>(&mut self, f: Pin<&mut F>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.sample.polls += 1;
        let before = self.clock.now();
        let answer = f.poll(context);
        let held = self.clock.now() - before;
        self.sample.busy += held;
        self.sample.slow_polls += u32::from(held >= self.slow);
        if answer.is_pending() {
            context.waker().wake_by_ref();
        }
        answer
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.sample.wall = self.clock.now() - self.start;
        self.sink.record(self.sample);
    }
}

pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}
