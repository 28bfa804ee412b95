//! Per task: polls, busy time, longest poll, and where it was spawned. From the runtime's unstable poll hooks: it
//! explains and draws, it never decides.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tokio::task::Id;

use crate::record::Place;
use crate::session::{self, lock};

/// One task's polls.
#[derive(Debug, Clone)]
pub struct TaskPolls {
    pub spawned: Place,
    pub polls: u64,
    /// Time inside polls.
    pub busy: Duration,
    pub longest: Duration,
}

/// The polls of every spawned task of this check so far, if its `Setup` asked for `log_polls()`; empty on stable
/// Tokio. Not for verdicts: times depend on the machine.
#[derive(Debug)]
pub struct PollLog;

impl PollLog {
    #[must_use]
    pub fn so_far() -> Vec<TaskPolls> {
        session::only_one()
            .map(|session| session.polls.tasks())
            .unwrap_or_default()
    }
}

#[derive(Debug)]
pub(crate) struct Recorder {
    on: bool,
    tasks: Mutex<HashMap<Id, Entry>>,
}

#[derive(Debug)]
struct Entry {
    at: &'static Location<'static>,
    polls: u64,
    busy: Duration,
    longest: Duration,
    began: Option<Instant>,
}

#[cfg_attr(
    not(tokio_unstable),
    expect(dead_code, reason = "fed by hooks that stable Tokio does not have")
)]
impl Recorder {
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    pub(crate) fn begins(&self, id: Id, at: &'static Location<'static>) {
        if !self.on {
            return;
        }
        let mut tasks = lock(&self.tasks);
        let new = || Entry {
            at,
            polls: 0,
            busy: Duration::ZERO,
            longest: Duration::ZERO,
            began: None,
        };
        tasks.entry(id).or_insert_with(new).began = Some(Instant::now());
    }

    pub(crate) fn ends(&self, id: Id) {
        if self.on
            && let Some(task) = lock(&self.tasks).get_mut(&id)
            && let Some(began) = task.began.take()
        {
            let took = began.elapsed();
            task.polls += 1;
            task.busy += took;
            task.longest = task.longest.max(took);
        }
    }
}

impl Recorder {
    pub(crate) fn new(on: bool) -> Recorder {
        Recorder {
            on,
            tasks: Mutex::default(),
        }
    }

    fn tasks(&self) -> Vec<TaskPolls> {
        let tasks = lock(&self.tasks);
        let mut polls: Vec<TaskPolls> = tasks
            .values()
            .map(|task| TaskPolls {
                spawned: Place::of(task.at, "spawn"),
                polls: task.polls,
                busy: task.busy,
                longest: task.longest,
            })
            .collect();
        polls.sort_by_key(|task| (task.spawned.line, task.spawned.column));
        polls
    }
}
