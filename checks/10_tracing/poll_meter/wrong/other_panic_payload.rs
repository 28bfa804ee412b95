// wrong: check_failed a_call_that_crashes_is_in_the_figures — the sample is there, and what the call crashed with is lost

//! The dashboard shall name the calls that hold a worker, and the calls that customers give up. It blames the database,
//! which only waits, as much as the thumbnails, which compute; and nobody ever gives up anything, it says.
//! Keep as they are, the checks use them: `Clock`, `Sink`, `Sample`, `metered`, `quantile`.

use std::sync::{Arc, Mutex};
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
    /// Also the last one counts.
    pub polls: u32,
    /// The time inside of polls: that long it has held a worker.
    pub busy: Duration,
    /// The time from its first poll to its end.
    pub wall: Duration,
    /// Polls that took `slow` or longer.
    pub slow_polls: u32,
    /// False if it was dropped, or panicked, before it was ready.
    pub completed: bool,
}

pub fn metered<F: Future>(
    cat: &'static str,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    f: F,
) -> impl Future<Output = F::Output> {
    let sample = Sample {
        cat,
        polls: 0,
        busy: Duration::ZERO,
        wall: Duration::ZERO,
        slow_polls: 0,
        completed: false,
    };
    Metered {
        clock,
        sink,
        slow,
        start: None,
        sample,
        f: Box::pin(f),
    }
}

struct Metered<F> {
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    start: Option<Duration>,
    sample: Sample,
    f: std::pin::Pin<Box<F>>,
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;
    fn poll(
        self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<F::Output> {
        let this = self.get_mut();
        let began = this.clock.now();
        this.start.get_or_insert(began);
        this.sample.polls += 1;
        let out =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| this.f.as_mut().poll(cx)));
        let took = this.clock.now() - began;
        this.sample.busy += took;
        this.sample.slow_polls += u32::from(took >= this.slow);
        match out {
            Ok(out) => {
                if out.is_ready() {
                    this.sample.completed = true;
                    this.end();
                }
                out
            }
            Err(panic) => {
                this.end();
                drop(panic);
                panic!("a metered call has panicked")
            }
        }
    }
}

impl<F> Metered<F> {
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
