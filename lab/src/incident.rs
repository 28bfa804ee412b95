//! Incidents: an exercise's scenario under load, measured. It draws and counts, and never judges.
//!
//! A scenario is one `#[test]` function in `checks/NN_chapter/name/incident.rs`; the file's first words say what happens
//! in it. It runs twice for each subject: once as it is, for the figures, and once observed, for polls and the timeline.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::session::lock;
use crate::{Setup, memory, record};

pub(crate) mod observer;

pub use observer::{AtWork, at_work};

/// How one request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Done,
    Failed,
}

/// Which way an extra figure gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Less,
    More,
    /// It is there to be read, not compared.
    Neither,
}

impl Better {
    fn name(self) -> &'static str {
        match self {
            Better::Less => "less",
            Better::More => "more",
            Better::Neither => "neither",
        }
    }
}

/// A scenario to be run.
#[derive(Debug)]
pub struct Incident {
    setup: Setup,
    counting: &'static str,
}

impl Incident {
    /// A service with one thread. `counting` names what its requests are, in the plural: `"health checks"`.
    #[must_use]
    pub fn one_thread(counting: &'static str) -> Incident {
        Incident {
            setup: Setup::real_time().may_leave_running(),
            counting,
        }
    }

    /// A service with `n` worker threads.
    #[must_use]
    pub fn workers(n: usize, counting: &'static str) -> Incident {
        Incident {
            setup: Setup::workers(n).may_leave_running(),
            counting,
        }
    }

    #[must_use]
    pub fn max_blocking_threads(mut self, n: usize) -> Incident {
        self.setup = self.setup.max_blocking_threads(n);
        self
    }

    pub fn run<F: Future<Output = ()>>(self, scenario: impl FnOnce(Measured) -> F) {
        let measured = Measured(Arc::new(Mutex::new(Figures {
            counting: self.counting,
            ..Figures::default()
        })));
        *lock(&CURRENT) = Some(measured.clone());
        RUNS.store(true, Relaxed);
        observer::begin();
        self.setup.run(|| scenario(measured));
        tell();
    }
}

/// The figures of the scenario that runs. One process runs one scenario.
static CURRENT: Mutex<Option<Measured>> = Mutex::new(None);
static RUNS: AtomicBool = AtomicBool::new(false);

/// A scenario sleeps and computes as a service does; what would be odd in a check is its work.
pub(crate) fn runs() -> bool {
    RUNS.load(Relaxed)
}

/// Writes what is known so far, once: at the end, or when the process is about to be ended.
pub(crate) fn tell() {
    if !RUNS.swap(false, Relaxed) {
        return;
    }
    memory::uncapped(|| {
        let current = CURRENT.try_lock().ok().and_then(|current| current.clone());
        if let Some(measured) = current
            && let Ok(figures) = measured.0.try_lock()
        {
            record::write(&figures.json());
        }
        observer::tell();
    });
}

/// Where a scenario puts its requests and its counts.
#[derive(Debug, Clone)]
pub struct Measured(Arc<Mutex<Figures>>);

#[derive(Debug, Default)]
struct Figures {
    counting: &'static str,
    first_due: Option<Instant>,
    last_answer: Option<Instant>,
    due: u64,
    /// Of answered requests, in microseconds from when each was due.
    latencies: Vec<u64>,
    failed: u64,
    panicked: u64,
    lost: Option<(u64, &'static str)>,
    extra: Vec<(String, f64, &'static str, Better)>,
}

impl Figures {
    fn json(&self) -> serde_json::Value {
        let span = self.first_due.zip(self.last_answer);
        let span = span.map_or(Duration::ZERO, |(first, last)| last.duration_since(first));
        let extra: serde_json::Value = self
            .extra
            .iter()
            .map(|(name, value, unit, better)| {
                json!({"name": name, "value": value, "unit": unit, "better": better.name()})
            })
            .collect();
        json!({
            "record": "measured", "counting": self.counting, "due": self.due, "failed": self.failed,
            "panicked": self.panicked, "latencies_us": self.latencies, "span_us": micros(span),
            "lost": self.lost.map(|(count, what)| json!({"count": count, "what": what})),
            "extra": extra, "peak": memory::peak(),
        })
    }
}

impl Measured {
    /// `requests` requests, one due every `every`, whatever becomes of those before. Returns when each has ended.
    ///
    /// A latency counts from when the request was *due*, not from when the loop got round to begin it: a service that
    /// stands still makes the requests of that time late as well. A client that waits for one answer before it asks
    /// again would leave them out ("coordinated omission") and show a service that is never slow for long.
    pub async fn at_pace<F>(&self, requests: u64, every: Duration, request: impl Fn(u64) -> F)
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let start = Instant::now();
        let mut running = JoinSet::new();
        for (k, number) in (0..requests).zip(0..) {
            let due = start + every * number;
            if !every.is_zero() {
                tokio::time::sleep_until(due.into()).await;
            }
            self.begin(&mut running, due, request(k));
        }
        self.all_ended(running).await;
    }

    /// As `at_pace`, over so many connections: a request whose time has come waits for a free one, and that counts.
    /// For a fault that slows its clients down, as a full queue does.
    pub async fn at_pace_over<F>(
        &self,
        connections: usize,
        requests: u64,
        every: Duration,
        request: impl Fn(u64) -> F,
    ) where
        F: Future<Output = Answer> + Send + 'static,
    {
        let free = Arc::new(tokio::sync::Semaphore::new(connections));
        let start = Instant::now();
        let mut running = JoinSet::new();
        for (k, number) in (0..requests).zip(0..) {
            let due = start + every * number;
            tokio::time::sleep_until(due.into()).await;
            // Never closed; without a connection there would be no request.
            let Ok(connection) = Arc::clone(&free).acquire_owned().await else {
                return;
            };
            let request = request(k);
            self.begin(&mut running, due, async move {
                let answer = request.await;
                drop(connection);
                answer
            });
        }
        self.all_ended(running).await;
    }

    /// All of them due now.
    pub async fn at_once<F>(&self, requests: u64, request: impl Fn(u64) -> F)
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        self.at_pace(requests, Duration::ZERO, request).await;
    }

    /// What was handed over and never came out.
    pub fn lost(&self, count: u64, what: &'static str) {
        self.uncapped(|figures| figures.lost = Some((count, what)));
    }

    /// A row of this scenario's own.
    pub fn figure(&self, name: impl Into<String>, value: f64, unit: &'static str, better: Better) {
        let name = name.into();
        self.uncapped(|figures| figures.extra.push((name, value, unit, better)));
    }

    async fn all_ended(&self, mut running: JoinSet<()>) {
        while let Some(ended) = running.join_next().await {
            if ended.is_err_and(|end| end.is_panic()) {
                self.uncapped(|figures| figures.panicked += 1);
            }
        }
    }

    fn begin<F>(&self, running: &mut JoinSet<()>, due: Instant, request: F)
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let measured = self.clone();
        self.uncapped(|figures| {
            figures.due += 1;
            figures.first_due.get_or_insert(due);
        });
        let task = running.spawn(async move {
            let answer = request.await;
            measured.answered(due, answer);
        });
        observer::name(task.id(), self.uncapped(|figures| figures.counting));
    }

    fn answered(&self, due: Instant, answer: Answer) {
        let now = Instant::now();
        self.uncapped(|figures| {
            figures.latencies.push(micros(now.duration_since(due)));
            figures.failed += u64::from(answer == Answer::Failed);
            figures.last_answer = Some(now);
        });
    }

    /// Our own bookkeeping is not the subject's memory.
    fn uncapped<T>(&self, work: impl FnOnce(&mut Figures) -> T) -> T {
        memory::uncapped(|| work(&mut lock(&self.0)))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(scenario: impl AsyncFnOnce(Measured)) -> Figures {
        let measured = Measured(Arc::default());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(scenario(measured.clone()));
        std::mem::take(&mut lock(&measured.0))
    }

    const HELD: Duration = Duration::from_millis(80);

    #[test]
    fn requests_that_fell_due_while_the_loop_stood_still_are_late() {
        let mut figures = figures(async |measured| {
            let request = |k| async move {
                if k == 0 {
                    #[expect(clippy::disallowed_methods, reason = "the loop stands still")]
                    std::thread::sleep(HELD);
                }
                Answer::Done
            };
            let pace = Duration::from_millis(10);
            measured.at_pace(5, pace, request).await;
        });
        figures.latencies.sort_unstable();
        // Due at 0, 10 .. 40 ms, and none of them served before 80 ms.
        for (latency, due) in figures.latencies.iter().rev().zip(0..) {
            assert!(*latency >= 80_000 - 10_000 * due, "{:?}", figures.latencies);
        }
        assert_eq!((figures.due, figures.failed), (5, 0));
    }

    #[test]
    fn waiting_for_a_connection_counts() {
        let mut figures = figures(async |measured| {
            let request = |_| async {
                tokio::time::sleep(HELD).await;
                Answer::Failed
            };
            let pace = Duration::from_millis(1);
            measured.at_pace_over(1, 3, pace, request).await;
        });
        figures.latencies.sort_unstable();
        assert!(figures.latencies[2] >= 238_000, "{:?}", figures.latencies);
        assert_eq!((figures.due, figures.failed), (3, 3));
    }

    #[test]
    fn a_panic_is_no_answer() {
        let figures = figures(async |measured| {
            let request = |k| async move {
                assert!(k != 1, "request 1 breaks");
                Answer::Done
            };
            measured.at_once(3, request).await;
        });
        assert_eq!(
            (figures.due, figures.latencies.len(), figures.panicked),
            (3, 2, 1)
        );
    }
}
