//! Threads and child processes that no runtime of the lab owns.

#[cfg(target_os = "linux")]
use std::collections::HashMap;
use std::time::Duration;

use crate::hang::{self, system};
use crate::record::Place;
use crate::session::Session;
use crate::trail;

use super::{Leftover, report};

/// Nothing outside Linux: there is no list to look at.
#[cfg(not(target_os = "linux"))]
pub(crate) fn look(_: &Session) {}

#[cfg(not(target_os = "linux"))]
pub(super) fn threads(_: &Session) -> Vec<u32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn report_threads(_: &Session, _: &[u32]) -> ! {
    report(Leftover::Thread, 1, "", &[])
}

/// Waits until all are gone, or will not go. Started by hand, other checks of the process have threads and children
/// of their own.
#[cfg(target_os = "linux")]
pub(crate) fn look(session: &Session) {
    if !crate::startup::under_the_runner() {
        return;
    }
    let threads = stay(|| threads(session), |id| format!("/proc/self/task/{id}"));
    if !threads.is_empty() && session.claim_verdict() {
        report_threads(session, &threads);
    }
    let children = stay(system::descendants, |id| format!("/proc/{id}"));
    if !children.is_empty() && session.claim_verdict() {
        report_children(&children);
    }
}

/// What is asleep without a twitch for so many looks stays asleep.
#[cfg(target_os = "linux")]
const LOOKS: u32 = 50;
#[cfg(target_os = "linux")]
const PACE: Duration = Duration::from_millis(20);
/// What has slept through so many, twitching now and then, keeps waking up and never ends: a loop around `sleep`.
#[cfg(target_os = "linux")]
const SLEPT_LOOKS: u32 = 3 * LOOKS;
/// What computes for so long after the check's end will not end.
#[cfg(target_os = "linux")]
const CPU: Duration = Duration::from_secs(1);

#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "the system does not tell when a thread ends"
)]
fn stay(list: impl Fn() -> Vec<u32>, folder: impl Fn(u32) -> String) -> Vec<u32> {
    let activities = |ids: &[u32]| -> Vec<_> {
        ids.iter()
            .filter_map(|id| system::activity(&folder(*id)))
            .collect()
    };
    let mut quick = Duration::from_micros(100);
    let (mut before, mut quiet, mut at_first) = (Vec::new(), 0, None);
    let mut slept: HashMap<u32, u32> = HashMap::new();
    loop {
        let left = list();
        if left.is_empty() {
            return left;
        }
        let now = activities(&left);
        let cpu: Duration = now.iter().map(|(_, cpu)| *cpu).sum();
        quiet = if now == before && now.iter().all(|(asleep, _)| *asleep) {
            quiet + 1
        } else {
            0
        };
        slept.retain(|id, _| left.contains(id));
        for id in left.iter().filter(|id| is_asleep(&folder(**id))) {
            *slept.entry(*id).or_default() += 1;
        }
        let restless = slept.values().any(|looks| *looks >= SLEPT_LOOKS);
        if quiet >= LOOKS || restless || cpu.saturating_sub(*at_first.get_or_insert(cpu)) >= CPU {
            return left;
        }
        before = now;
        std::thread::sleep(quick);
        quick = (quick * 2).min(PACE);
    }
}

#[cfg(target_os = "linux")]
fn is_asleep(folder: &str) -> bool {
    system::activity(folder).is_some_and(|(asleep, _)| asleep)
}

/// Waits while a thread of the subject's has something to do. The paused clock knows only Tokio's own work: without
/// this it would run ahead of an answer that such a thread is about to give. A thread counts as awake from the moment
/// it is woken, so that a starved one is waited for as well; two looks, as one may wake another in the middle of a look.
#[cfg(target_os = "linux")]
#[expect(
    clippy::disallowed_methods,
    reason = "the system does not tell when a thread falls asleep"
)]
pub(crate) fn let_threads_answer(session: &Session) {
    let look = || -> Vec<_> {
        let ids = threads(session);
        ids.iter()
            .filter_map(|id| Some((*id, system::activity(&format!("/proc/self/task/{id}"))?)))
            .collect()
    };
    let mut before = look();
    while !before.is_empty() {
        let now = look();
        if now == before && now.iter().all(|(_, (asleep, _))| *asleep) {
            return;
        }
        before = now;
        std::thread::sleep(Duration::from_micros(50));
    }
}

/// Elsewhere a check that runs on a paused clock takes no fix with a thread of its own.
#[cfg(not(target_os = "linux"))]
pub(crate) fn let_threads_answer(_: &Session) {}

/// Those that neither the harness nor the lab started.
#[cfg(target_os = "linux")]
pub(super) fn threads(session: &Session) -> Vec<u32> {
    let body = session.body_thread.id;
    let mut ids = hang::other_threads(session);
    ids.retain(|id| {
        *id != body
            && !crate::tools::side_thread::is_ours(*id)
            && !system::thread_name(*id).starts_with("lab-")
    });
    ids
}

#[cfg(target_os = "linux")]
pub(super) fn report_threads(session: &Session, threads: &[u32]) -> ! {
    // A thread without a name of its own has that of the check's, which the learner has never seen.
    let inherited = system::thread_name(session.body_thread.id);
    let at: Vec<Place> = threads
        .iter()
        .filter_map(|id| hang::stack(*id))
        .flat_map(|stack| trail::subject_places(&stack))
        .collect();
    let names: Vec<String> = threads
        .iter()
        .map(|id| system::thread_name(*id))
        .filter(|name| !name.is_empty() && *name != inherited)
        .collect();
    report(Leftover::Thread, threads.len(), &names.join(", "), &at)
}

#[cfg(target_os = "linux")]
fn report_children(children: &[u32]) -> ! {
    let commands: Vec<String> = children
        .iter()
        .map(|id| system::command_line(*id))
        .collect();
    system::end_descendants();
    report(Leftover::Child, children.len(), &commands.join("; "), &[])
}
