// wrong: check_failed every_poll_is_counted — a byte for the polls: a long call has few

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
    async move {
        let start = clock.now();
        let sample = Sample {
            cat,
            polls: 0,
            busy: Duration::ZERO,
            wall: Duration::ZERO,
            slow_polls: 0,
            completed: false,
        };
        let mut meter = Meter {
            clock,
            sink,
            slow,
            start,
            sample,
        };
        let mut f = std::pin::pin!(f);
        std::future::poll_fn(|cx| {
            let began = meter.clock.now();
            let poll = OnePoll {
                meter: &mut meter,
                began,
            };
            let out = f.as_mut().poll(cx);
            poll.meter.sample.completed = out.is_ready();
            out
        })
        .await
    }
}

struct Meter {
    clock: Arc<dyn Clock>,
    sink: Arc<dyn Sink>,
    slow: Duration,
    start: Duration,
    sample: Sample,
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.sample.wall = self.clock.now() - self.start;
        self.sink.record(self.sample);
    }
}

struct OnePoll<'a> {
    meter: &'a mut Meter,
    began: Duration,
}

impl Drop for OnePoll<'_> {
    fn drop(&mut self) {
        let took = self.meter.clock.now() - self.began;
        self.meter.sample.polls = u32::from((self.meter.sample.polls as u8).wrapping_add(1));
        self.meter.sample.busy += took;
        if took >= self.meter.slow {
            self.meter.sample.slow_polls += 1;
        }
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
