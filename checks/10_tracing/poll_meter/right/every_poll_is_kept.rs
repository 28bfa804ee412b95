// right: a list of all polls, added up at the end

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
            held: Vec::new(),
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
    held: Vec<Duration>,
}

impl Meter {
    fn poll<F: Future>(&mut self, f: Pin<&mut F>, context: &mut Context<'_>) -> Poll<F::Output> {
        let before = self.clock.now();
        let answer = f.poll(context);
        let held = self.clock.now() - before;
        self.held.push(held);
        answer
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.sample.wall = self.clock.now() - self.start;
        self.sample.polls = self.held.len() as u32;
        self.sample.busy = self.held.iter().sum();
        let slow = self.held.iter().filter(|held| **held >= self.slow);
        self.sample.slow_polls = slow.count() as u32;
        self.sink.record(self.sample);
    }
}

pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}
