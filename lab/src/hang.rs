//! Who is stuck, and where. Waiting: the body explains itself (`explain`). Blocked and spinning: a watchdog thread
//! looks at the other threads (`watchdog`) by what the system says of them (`linux`, `elsewhere`).

use std::future::Future;
use std::sync::Arc;
use std::sync::Once;
use std::task::Context;

use serde_json::{Value, json};

use crate::record::{self, Place};
use crate::session::Session;
use crate::{ending, memory, startup, trail};

mod decide;
pub(crate) mod explain;
pub(crate) mod hooks;
mod spin;
#[cfg(target_os = "linux")]
#[path = "hang/linux.rs"]
pub(crate) mod system;
#[cfg(not(target_os = "linux"))]
#[path = "hang/elsewhere.rs"]
pub(crate) mod system;
mod watchdog;

pub(crate) use system::{thread_id, thread_ids};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Waiting = 1,
    Blocked,
    Spinning,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Waiting => "waiting",
            Kind::Blocked => "blocked",
            Kind::Spinning => "spinning",
        }
    }
}

/// One stuck task: where it was spawned (`None`: the check's own future), and its chain of `.await`s in the
/// learner's file, innermost first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stuck {
    pub(crate) spawned: Option<Place>,
    pub(crate) inner_first: Vec<Place>,
}

impl Stuck {
    fn json(&self) -> Value {
        let chain: Value = self.inner_first.iter().rev().map(Place::json).collect();
        json!({"spawned": self.spawned.as_ref().map(Place::json), "chain": chain})
    }
}

/// Starts the watchdog, once a process.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        system::prepare();
        let _ = std::thread::Builder::new()
            .name("lab-watchdog".to_owned())
            .spawn(watchdog::run);
    });
}

/// Marks where the await chains of the body end.
pub(crate) fn rooted<F: Future>(body: F) -> impl Future<Output = F::Output> {
    explain::rooted(body)
}

/// The body hangs: says where, and ends the check.
pub(crate) fn explain_waiting(
    session: &Arc<Session>,
    kind: Kind,
    context: &mut Context<'_>,
    poll_body: impl FnMut(&mut Context<'_>) -> bool,
) -> ! {
    let stuck = memory::uncapped(|| explain::stuck_tasks(session, context, poll_body));
    give_verdict(kind, &stuck, &[])
}

/// Writes the record and ends the check. `first` are places more telling than the tasks' own.
pub(crate) fn give_verdict(kind: Kind, stuck: &[Stuck], first: &[Place]) -> ! {
    memory::uncapped(|| {
        let tasks: Value = stuck.iter().map(Stuck::json).collect();
        let at = most_telling(stuck, first);
        record::write(
            &json!({"record": "hung", "kind": kind.name(), "tasks": tasks, "at": record::places(&at)}),
        );
        if startup::under_the_runner() || !crate::session::is_body_thread() {
            ending::end(ending::HUNG);
        }
        panic!("the check hangs, {}: {at:?}", kind.name())
    })
}

/// Innermost lines before those that called them; what waits for another task only after that other task.
fn most_telling(stuck: &[Stuck], first: &[Place]) -> Vec<Place> {
    let (joining, own): (Vec<&Stuck>, Vec<&Stuck>) =
        stuck.iter().partition(|task| waits_for_a_task(task));
    let ordered: Vec<&Stuck> = own.into_iter().chain(joining).collect();
    let innermost = ordered.iter().filter_map(|task| task.inner_first.first());
    let callers = ordered
        .iter()
        .flat_map(|task| task.inner_first.iter().skip(1));
    let spawned = ordered.iter().filter_map(|task| task.spawned.as_ref());
    let mut at: Vec<Place> = Vec::new();
    for place in first.iter().chain(innermost).chain(callers).chain(spawned) {
        if place.in_subject() && !at.iter().any(|known| known.line == place.line) {
            at.push(place.clone());
        }
    }
    if at.is_empty() {
        // A fake that never answers, in a future that shows no chain: whoever called it last.
        at.extend(
            trail::last()
                .map(|trail| trail.places())
                .unwrap_or_default(),
        );
    }
    at
}

fn waits_for_a_task(task: &Stuck) -> bool {
    task.inner_first.first().is_some_and(|place| {
        ["JoinHandle", "JoinSet", "TaskTracker"]
            .iter()
            .any(|name| place.what.starts_with(name))
    })
}

pub(crate) use watchdog::{other_threads, stack};
