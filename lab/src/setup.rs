//! The one door for a check's body. Builds the runtime, runs the body, sees that nothing is left running.
//!
//! | door | runtime | clock | for | determinism |
//! | --- | --- | --- | --- | --- |
//! | [`paused`] | current-thread | paused, deadline of one virtual hour | everything that needs no foreign thread | D0 |
//! | [`real_time`] | current-thread | real | [`crate::Gate`], [`crate::Canary`], blocking jobs | D1 |
//! | [`workers`] | multi-thread | real | work that must really overlap | D1 |
//! | [`plain`] | none | real | synchronous code, code that builds its own runtime | D1 |

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::session::{Driver, Session};
use crate::{ending, hang, leftovers, memory, panics, record, startup};

mod body;

/// Virtual. Long enough for any honest timeout of an exercise, and free: the clock jumps.
const DEADLINE: Duration = Duration::from_secs(60 * 60);

/// How a check's body is run; for what [`paused`], [`workers`] and [`real_time`] do not offer.
#[derive(Debug, Clone)]
pub struct Setup {
    workers: Option<usize>,
    deadline: Option<Duration>,
    max_blocking_threads: Option<usize>,
    may_leave_running: bool,
    log_polls: bool,
}

/// Runs the body on a current-thread runtime with a paused clock: a deadlock is a verdict in milliseconds.
///
/// The clock jumps whenever every task waits. It stands still while a `spawn_blocking` job runs and, on Linux, while a
/// thread of the subject's is awake; it runs ahead of code that waits for a socket, or for a thread that sleeps: use
/// [`real_time`] for those. Determinism: D0.
pub fn paused<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    Setup::paused().run(body);
}

/// Runs the body with `n` worker threads and the real clock. The body itself is on a thread of its own.
/// Never assert that something starves here: work stealing is not a contract. Determinism: D1.
pub fn workers<F: Future<Output = ()>>(n: usize, body: impl FnOnce() -> F) {
    Setup::workers(n).run(body);
}

/// Runs the body on a current-thread runtime with the real clock. Determinism: D1.
pub fn real_time<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    Setup::real_time().run(body);
}

/// Runs the body without a runtime: for a synchronous interface, or code that builds its own runtime.
pub fn plain(body: impl FnOnce()) {
    let session = open(Driver::Plain, false);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    close(&session, outcome, false);
}

impl Setup {
    #[must_use]
    pub fn paused() -> Setup {
        Setup {
            deadline: Some(DEADLINE),
            ..Setup::real_time()
        }
    }

    #[must_use]
    pub fn workers(n: usize) -> Setup {
        Setup {
            workers: Some(n.max(1)),
            ..Setup::real_time()
        }
    }

    #[must_use]
    pub fn real_time() -> Setup {
        Setup {
            workers: None,
            deadline: None,
            max_blocking_threads: None,
            may_leave_running: false,
            log_polls: false,
        }
    }

    /// Virtual time after which the body hangs. Of no use on a real clock: there the watchdog decides.
    #[must_use]
    pub fn deadline(mut self, virtual_time: Duration) -> Setup {
        self.deadline = self.deadline.map(|_| virtual_time);
        self
    }

    #[must_use]
    pub fn max_blocking_threads(mut self, n: usize) -> Setup {
        self.max_blocking_threads = Some(n);
        self
    }

    /// The subject is allowed to leave tasks and threads behind.
    #[must_use]
    pub fn may_leave_running(mut self) -> Setup {
        self.may_leave_running = true;
        self
    }

    /// Fills [`crate::PollLog`]; costs a lock and two clock readings a poll.
    #[must_use]
    pub fn log_polls(mut self) -> Setup {
        self.log_polls = true;
        self
    }

    /// Runs the body, then waits a little for its tasks to end. The body is built inside the runtime.
    pub fn run<F: Future<Output = ()>>(self, body: impl FnOnce() -> F) {
        self.run_boxed(Box::pin(async move { body().await }));
    }

    /// Compiled once, here: each check would otherwise bring a runtime's `block_on` of its own, and rustc would take
    /// twice as long over it.
    fn run_boxed(self, body: Pin<Box<dyn Future<Output = ()> + '_>>) {
        let driver = if self.workers.is_some() {
            Driver::Workers
        } else {
            Driver::OneThread
        };
        let session = open(driver, self.log_polls);
        let runtime = self.runtime(&session);
        let _ = session.metrics.set(runtime.metrics());
        let watched = body::watched(body, Arc::clone(&session), self.deadline);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                watched.await;
                session
                    .settling
                    .store(true, std::sync::atomic::Ordering::Relaxed);
                if !self.may_leave_running {
                    leftovers::settle_tasks(&session, self.deadline.is_some()).await;
                }
            });
        }));
        if outcome.is_err() && startup::under_the_runner() {
            ending::end(ending::FAILED);
        }
        leftovers::shut_down(runtime, self.may_leave_running);
        close(&session, outcome, self.may_leave_running);
    }

    fn runtime(&self, session: &Arc<Session>) -> Runtime {
        let mut builder = match self.workers {
            Some(n) => {
                let mut builder = Builder::new_multi_thread();
                builder.worker_threads(n);
                builder
            }
            None => Builder::new_current_thread(),
        };
        builder.enable_all();
        if self.deadline.is_some() {
            builder.start_paused(true);
        }
        if let Some(n) = self.max_blocking_threads {
            builder.max_blocking_threads(n);
        }
        hang::hooks::install(&mut builder, session, self.deadline.is_some());
        builder
            .build()
            .expect("the operating system gives a runtime its threads")
    }
}

fn open(driver: Driver, log_polls: bool) -> Arc<Session> {
    panics::watch();
    record::write(&json!({"record": "started"}));
    let session = memory::uncapped(|| Session::begin(driver, log_polls));
    hang::watch();
    session
}

fn close(session: &Arc<Session>, outcome: std::thread::Result<()>, may_leave_running: bool) {
    if let Err(panic) = outcome {
        // The hook has written the record; what the subject left behind no longer matters.
        if startup::under_the_runner() {
            ending::end(ending::FAILED);
        }
        session.end();
        resume_unwind(panic);
    }
    session
        .settling
        .store(true, std::sync::atomic::Ordering::Relaxed);
    if !may_leave_running {
        leftovers::look(session);
    }
    session.end();
    record::write(&json!({"record": "finished", "peak": memory::peak()}));
}
