//! What outlives a check: tasks, threads, child processes. What ends by itself shortly is no leftover, and
//! "shortly" counts looks and processor time, not seconds: a starved machine changes no verdict.

use std::time::Duration;

use serde_json::json;
use tokio::runtime::{Handle, Runtime};

use crate::record::{self, Place};
use crate::session::Session;
use crate::{ending, memory, startup};

mod outsiders;

pub(crate) use outsiders::{let_threads_answer, look};

/// Steps that a task gets to end. Doubling from a millisecond, the virtual ones sum up to a minute.
const STEPS_VIRTUAL: u32 = 16;
/// Real steps are turns of this runtime, of 50 ms at most each: three seconds, and more where the machine is busy.
const STEPS_REAL: u32 = 64;
const LONGEST_REAL_STEP: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy)]
pub(crate) enum Leftover {
    Task,
    Thread,
    #[cfg(target_os = "linux")]
    Child,
}

impl Leftover {
    fn name(self) -> &'static str {
        match self {
            Leftover::Task => "task",
            Leftover::Thread => "thread",
            #[cfg(target_os = "linux")]
            Leftover::Child => "child",
        }
    }
}

/// Lets the tasks of the runtime end, now that the body has returned.
pub(crate) async fn settle_tasks(session: &Session, paused: bool) {
    let tasks = Handle::current().metrics();
    let (mut virtual_steps, mut real_steps) = (0, 0);
    while tasks.num_alive_tasks() > 0 && virtual_steps < STEPS_VIRTUAL && real_steps < STEPS_REAL {
        let step = Duration::from_millis(1 << (virtual_steps + real_steps).min(15));
        // The virtual clock stands still while a closure runs on the blocking pool.
        tokio::select! {
            biased;
            () = tokio::time::sleep(step), if paused => virtual_steps += 1,
            () = real_pause(step.min(LONGEST_REAL_STEP)) => real_steps += 1,
        }
    }
    let alive = tasks.num_alive_tasks();
    if alive > 0 && session.claim_verdict() {
        report(Leftover::Task, alive, "", &session.spawn_places());
    }
}

/// By a thread of its own: the runtime's timers may be those of a paused clock.
async fn real_pause(pause: Duration) {
    let (over, is_over) = tokio::sync::oneshot::channel::<()>();
    let timer = std::thread::Builder::new().name("lab-timer".to_owned());
    let timer = timer.spawn(move || {
        std::thread::park_timeout(pause);
        drop(over);
    });
    if let Ok(timer) = timer {
        let _ = is_over.await;
        // Detaching a thread that is just ending may read its unmapped stack in glibc; this one ends at once.
        let _ = timer.join();
    }
}

/// Takes the runtime down, without waiting for ever for closures that block: `look` finds their threads.
pub(crate) fn shut_down(runtime: Runtime, may_leave_running: bool) {
    const BLOCKING_CLOSURES: Duration = Duration::from_secs(1);
    if may_leave_running {
        runtime.shutdown_background();
    } else {
        runtime.shutdown_timeout(BLOCKING_CLOSURES);
    }
}

/// The watchdog found everything asleep after the body's end.
pub(crate) fn report_what_never_ends(session: &Session) -> ! {
    memory::uncapped(|| {
        let alive = session.alive_tasks();
        if alive > 0 {
            report(Leftover::Task, alive, "", &session.spawn_places());
        }
        outsiders::report_threads(session, &outsiders::threads(session))
    })
}

/// Ends the check.
fn report(what: Leftover, count: usize, detail: &str, at: &[Place]) -> ! {
    record::write(&json!({
        "record": "left_running", "what": what.name(), "count": count, "detail": detail, "at": record::places(at),
    }));
    if startup::under_the_runner() || !crate::session::is_body_thread() {
        ending::end(ending::LEFT_RUNNING);
    }
    panic!("{count} {} left running: {detail} {at:?}", what.name())
}
