//! What panicked, and where in the learner's file: a hook that records every panic, whoever catches it.
//! A learner's own hook takes this one with `take_hook` and goes on from there.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, Once};

use serde_json::json;

use crate::record::Place;
use crate::{Trail, memory, record, session};

/// Who panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanicOn {
    /// The check itself, or code that it called directly.
    Check,
    /// A Tokio task, or a closure on the blocking pool.
    Task,
    /// A thread that the subject started.
    Thread,
}

impl PanicOn {
    fn name(self) -> &'static str {
        match self {
            PanicOn::Check => "check",
            PanicOn::Task => "task",
            PanicOn::Thread => "thread",
        }
    }

    fn now() -> PanicOn {
        if tokio::task::try_id().is_some() {
            PanicOn::Task
        } else if session::is_body_thread() {
            PanicOn::Check
        } else {
            PanicOn::Thread
        }
    }
}

/// One panic, as the hook saw it.
#[derive(Debug, Clone)]
pub struct PanicSeen {
    pub message: String,
    /// The panic's own location, whichever file that is.
    pub origin: Option<Place>,
    pub on: PanicOn,
    /// Where the panicking task was spawned, if that is in the learner's file and known.
    pub spawned: Option<Place>,
    /// Lines of the learner's file, the most telling first.
    pub at: Vec<Place>,
}

/// Panics of this process, in order. Determinism: D0.
///
/// The hook sees also those that a dropped handle swallows; it cannot know whether somebody looks at the
/// `JoinError` later: that is for the check to decide, by what the code under check answers.
#[derive(Debug)]
pub struct Panics;

/// Records of a storm of panics would cost more than they tell.
const MOST_RECORDED: usize = 64;

static SEEN: Mutex<Vec<PanicSeen>> = Mutex::new(Vec::new());

impl Panics {
    #[must_use]
    pub fn seen() -> Vec<PanicSeen> {
        SEEN.lock().map(|seen| seen.clone()).unwrap_or_default()
    }

    /// Panics in tasks and closures on the blocking pool only.
    #[must_use]
    pub fn in_tasks() -> Vec<PanicSeen> {
        Panics::seen()
            .into_iter()
            .filter(|panic| panic.on == PanicOn::Task)
            .collect()
    }
}

pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            crate::incident::observer::panicked();
            memory::uncapped(|| note(info));
            before(info);
        }));
    });
}

fn note(info: &PanicHookInfo<'_>) {
    // A panic while this lock is held would be ours; `try_lock` keeps it from hanging the hook.
    let Ok(mut seen) = SEEN.try_lock() else {
        return;
    };
    if seen.len() >= MOST_RECORDED {
        return;
    }
    let panic = describe(info);
    if crate::startup::under_the_runner() {
        record::write(&panic.json());
    }
    seen.push(panic);
}

fn describe(info: &PanicHookInfo<'_>) -> PanicSeen {
    let origin = info.location().map(|location| Place::of(location, "panic"));
    let spawned = session::spawn_place_of_current_task().filter(Place::in_subject);
    let mut at = Trail::capture().places_of_panic();
    if let Some(own) = origin.as_ref().filter(|origin| origin.in_subject()) {
        // The panic's location knows the column too.
        at.retain(|place| place.line != own.line);
        at.insert(0, own.clone());
    }
    at.extend(spawned.clone().filter(|_| at.is_empty()));
    PanicSeen {
        message: message(info),
        origin,
        on: PanicOn::now(),
        spawned,
        at,
    }
}

fn message(info: &PanicHookInfo<'_>) -> String {
    info.payload_as_str()
        .unwrap_or("a value that is not text")
        .to_owned()
}

impl PanicSeen {
    fn json(&self) -> serde_json::Value {
        json!({
            "record": "panicked", "message": self.message, "on": self.on.name(),
            "origin": self.origin.as_ref().map(Place::json), "spawned": self.spawned.as_ref().map(Place::json),
            "at": record::places(&self.at),
        })
    }
}

/// Places of the latest panic that ended a task or a thread rather than the check.
pub(crate) fn last_swallowed_places() -> Vec<Place> {
    let Ok(seen) = SEEN.try_lock() else {
        return Vec::new();
    };
    seen.iter()
        .rev()
        .find(|panic| panic.on != PanicOn::Check)
        .map(|panic| panic.at.clone())
        .unwrap_or_default()
}
