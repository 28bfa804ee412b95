//! The dashboard shall name the calls that hold a worker, and the calls that customers give up. It blames the database,
//! which only waits, as much as the thumbnails, which compute; and nobody ever gives up anything, it says.
//! The checks use `Clock`, `Sink`, `Sample`, `metered` and `quantile`: keep the signatures; the bodies are yours.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

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

// ANCHOR: fix
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
        self.sample.slow_polls += u32::from(held >= self.slow);
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
// ANCHOR_END: fix

/// By nearest rank: the smallest sample of which at least the part `q` (0 to 1) of all are no larger. Zero for none.
pub fn quantile(samples: &[Duration], q: f64) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}

/// Since the process began.
impl Clock for Instant {
    fn now(&self) -> Duration {
        self.elapsed()
    }
}

/// The dashboard.
impl Sink for Mutex<Vec<Sample>> {
    fn record(&self, sample: Sample) {
        self.lock().unwrap().push(sample);
    }
}

#[tokio::main]
async fn main() {
    let clock = Arc::new(Instant::now());
    let board: Arc<Mutex<Vec<Sample>>> = Arc::default();
    let [ms20, ms100, ms200] = [20, 100, 200].map(Duration::from_millis);
    for _ in 0..3 {
        let query = sleep(ms200);
        metered("database", clock.clone(), board.clone(), ms100, query).await;
        let resize = async { std::thread::sleep(ms200) };
        metered("thumbnail", clock.clone(), board.clone(), ms100, resize).await;
        let charge = metered("card", clock.clone(), board.clone(), ms100, sleep(ms200));
        let _ = timeout(ms20, charge).await;
    }
    let board = board.lock().unwrap();
    for cat in ["database", "thumbnail", "card"] {
        let of_cat = || board.iter().filter(|sample| sample.cat == cat);
        let busy: Vec<Duration> = of_cat().map(|sample| sample.busy).collect();
        let slow: u32 = of_cat().map(|sample| sample.slow_polls).sum();
        let given_up = of_cat().filter(|sample| !sample.completed).count();
        let (calls, p50) = (busy.len(), quantile(&busy, 0.5));
        println!("{cat}: {calls} calls, {given_up} given up, {slow} slow polls, p50 busy {p50:?}");
    }
}
