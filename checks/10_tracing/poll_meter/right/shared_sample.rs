// right: the sample is shared by what polls and what is dropped

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex};
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
        let sample = Arc::new(Mutex::new(Sample {
            cat,
            polls: 0,
            busy: Duration::ZERO,
            wall: Duration::ZERO,
            slow_polls: 0,
            completed: false,
        }));
        let start = clock.now();
        let _at_the_end = AtTheEnd(|| {
            let mut sample = *sample.lock().unwrap();
            sample.wall = clock.now() - start;
            sink.record(sample);
        });
        let mut f = pin!(f);
        poll_fn(|context| {
            sample.lock().unwrap().polls += 1;
            let before = clock.now();
            let answer = f.as_mut().poll(context);
            let held = clock.now() - before;
            let mut sample = sample.lock().unwrap();
            sample.busy += held;
            if held >= slow {
                sample.slow_polls += 1;
            }
            sample.completed = answer.is_ready();
            answer
        })
        .await
    }
}

struct AtTheEnd<D: FnMut()>(D);

impl<D: FnMut()> Drop for AtTheEnd<D> {
    fn drop(&mut self) {
        (self.0)();
    }
}

pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}
