//! What each task and thread did, and when: from the runtime's unstable poll hooks, and from fakes that say what they
//! hold a thread for. Only where the runner asked for it: it costs two clock readings and a lock a poll.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::Location;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::Id;

use super::micros;
use crate::record::{self, Place};
use crate::session::lock;
use crate::{memory, startup};

/// A scenario has some thousands; a storm of polls is counted on, and no longer drawn.
const MOST_POLLS: usize = 20_000;
const MOST_TASKS: usize = 10_000;

static OBSERVER: OnceLock<Observer> = OnceLock::new();

#[derive(Debug)]
struct Observer {
    began: Instant,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    threads: Vec<Thread>,
    tasks: Vec<Task>,
    by_id: HashMap<Id, usize>,
    /// Task, thread, from, to.
    polls: Vec<(usize, usize, u64, u64)>,
    /// Label, thread, from, to.
    marks: Vec<(&'static str, usize, u64, u64)>,
    all_polls: u64,
    longest: u64,
    /// Of the task that was polled longest at a stretch.
    longest_task: Option<usize>,
    left_out: u64,
}

#[derive(Debug)]
struct Thread {
    id: std::thread::ThreadId,
    polls: bool,
}

#[derive(Debug)]
struct Task {
    /// `None`: nobody has named it.
    name: Option<&'static str>,
    at: Option<&'static Location<'static>>,
    born: u64,
    ended: Option<u64>,
    how: &'static str,
}

thread_local! {
    /// When the poll on this thread began, in microseconds.
    static POLL: Cell<Option<u64>> = const { Cell::new(None) };
}

pub(super) fn begin() {
    if startup::settings().observe {
        memory::uncapped(|| {
            OBSERVER.get_or_init(|| Observer {
                began: Instant::now(),
                seen: Mutex::default(),
            });
        });
    }
}

/// Somebody holds a thread, outside of any poll or within one, as long as this is there.
#[derive(Debug)]
#[must_use]
pub struct AtWork {
    label: &'static str,
    from: Option<u64>,
}

/// For a fake that blocks: the timeline shows that its thread was at this work.
pub fn at_work(label: &'static str) -> AtWork {
    AtWork {
        label,
        from: OBSERVER.get().map(Observer::now),
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let Some((observer, from)) = OBSERVER.get().zip(self.from) else {
            return;
        };
        observer.with(|seen, now| {
            let thread = seen.thread();
            seen.marks.push((self.label, thread, from, now));
        });
    }
}

/// What the timeline calls a task, instead of where it was spawned.
pub(super) fn name(id: Id, name: &'static str) {
    if let Some(observer) = OBSERVER.get() {
        observer.with(|seen, now| {
            let task = seen.task(id, None, now);
            if let Some(task) = task.and_then(|task| seen.tasks.get_mut(task)) {
                task.name = Some(name);
            }
        });
    }
}

/// The task that runs now has panicked.
pub(crate) fn panicked() {
    let Some((observer, id)) = OBSERVER.get().zip(tokio::task::try_id()) else {
        return;
    };
    // From the panic hook: whoever panics may hold the lock.
    let Ok(mut seen) = observer.seen.try_lock() else {
        return;
    };
    let task = seen.by_id.get(&id).copied();
    if let Some(task) = task.and_then(|task| seen.tasks.get_mut(task)) {
        task.how = "panicked";
    }
}

#[cfg_attr(
    not(tokio_unstable),
    expect(dead_code, reason = "fed by hooks that stable Tokio does not have")
)]
pub(crate) mod hooks {
    use super::{Id, Location, OBSERVER, POLL};

    pub(crate) fn are_wanted() -> bool {
        OBSERVER.get().is_some()
    }

    pub(crate) fn spawned(id: Id, at: &'static Location<'static>) {
        if let Some(observer) = OBSERVER.get() {
            observer.with(|seen, now| {
                seen.task(id, Some(at), now);
            });
        }
    }

    pub(crate) fn poll_begins() {
        if let Some(observer) = OBSERVER.get() {
            POLL.set(Some(observer.now()));
        }
    }

    pub(crate) fn poll_ends(id: Id) {
        if let Some((observer, from)) = OBSERVER.get().zip(POLL.take()) {
            observer.with(|seen, now| seen.polled(id, from, now));
        }
    }

    /// A task that ends outside a poll was dropped where it stood.
    pub(crate) fn ended(id: Id) {
        if let Some(observer) = OBSERVER.get() {
            observer.with(|seen, now| {
                let task = seen.by_id.get(&id).copied();
                if let Some(task) = task.and_then(|task| seen.tasks.get_mut(task)) {
                    task.ended = Some(now);
                    if POLL.get().is_none() && task.how.is_empty() {
                        task.how = "cancelled";
                    }
                }
            });
        }
    }
}

impl Observer {
    fn now(&self) -> u64 {
        micros(self.began.elapsed())
    }

    fn with(&self, work: impl FnOnce(&mut Seen, u64)) {
        let now = self.now();
        memory::uncapped(|| work(&mut lock(&self.seen), now));
    }
}

impl Seen {
    fn thread(&mut self) -> usize {
        let id = std::thread::current().id();
        let known = self.threads.iter().position(|thread| thread.id == id);
        known.unwrap_or_else(|| {
            self.threads.push(Thread { id, polls: false });
            self.threads.len() - 1
        })
    }

    /// `None` for one too many.
    fn task(&mut self, id: Id, at: Option<&'static Location<'static>>, now: u64) -> Option<usize> {
        if let Some(&known) = self.by_id.get(&id) {
            if let (Some(task), Some(at)) = (self.tasks.get_mut(known), at) {
                task.at = Some(at);
            }
            return Some(known);
        }
        if self.tasks.len() == MOST_TASKS {
            self.left_out += 1;
            return None;
        }
        self.tasks.push(Task {
            name: None,
            at,
            born: now,
            ended: None,
            how: "",
        });
        self.by_id.insert(id, self.tasks.len() - 1);
        Some(self.tasks.len() - 1)
    }

    fn polled(&mut self, id: Id, from: u64, to: u64) {
        let thread = self.thread();
        self.threads[thread].polls = true;
        self.all_polls += 1;
        let Some(task) = self.by_id.get(&id).copied() else {
            return;
        };
        if to - from > self.longest {
            self.longest = to - from;
            self.longest_task = Some(task);
        }
        if self.polls.len() < MOST_POLLS {
            self.polls.push((task, thread, from, to));
        } else {
            self.left_out += 1;
        }
    }

    fn json(&self, now: u64) -> Value {
        let threads: Vec<bool> = self.threads.iter().map(|thread| thread.polls).collect();
        let tasks: Vec<Value> = self.tasks.iter().map(Task::json).collect();
        let marks: Vec<Value> = self
            .marks
            .iter()
            .map(|(label, thread, from, to)| json!([label, thread, from, to]))
            .collect();
        json!({
            "record": "timeline", "until": now, "threads_poll": threads, "tasks": tasks, "polls": self.polls,
            "marks": marks, "all_polls": self.all_polls, "longest_poll_us": self.longest,
            "longest_task": self.longest_task, "left_out": self.left_out,
        })
    }
}

impl Task {
    /// Its file is always called so.
    fn of_the_scenario(&self) -> Option<&'static str> {
        let file = std::path::Path::new(self.at?.file());
        file.ends_with("incident.rs").then_some("the scenario")
    }

    fn json(&self) -> Value {
        let spawned = self.at.map(|at| Place::of(at, "spawn"));
        let spawned = spawned.filter(Place::in_subject);
        json!({
            "name": self.name.or_else(|| self.of_the_scenario()), "spawned": spawned.as_ref().map(Place::json), "born": self.born,
            "ended": self.ended, "how": self.how,
        })
    }
}

pub(super) fn tell() {
    if let Some(observer) = OBSERVER.get()
        && let Ok(seen) = observer.seen.try_lock()
    {
        record::write(&seen.json(observer.now()));
    }
}
