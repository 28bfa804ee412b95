//! Processes that the check started, and theirs.

use std::time::Duration;

use super::{activity, read, thread_ids};

/// Not zombies: those have ended, somebody just has not asked yet.
pub(crate) fn descendants() -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut next = children_of("self", &thread_ids());
    while let Some(process) = next.pop() {
        if !found.contains(&process) && runs(process) {
            next.extend(children_of(&process.to_string(), &[process]));
            found.push(process);
        }
    }
    found
}

fn children_of(process: &str, threads: &[u32]) -> Vec<u32> {
    let lists = threads
        .iter()
        .filter_map(|thread| read(&format!("/proc/{process}/task/{thread}/children")));
    lists
        .flat_map(|list| {
            list.split_ascii_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

fn runs(process: u32) -> bool {
    read(&format!("/proc/{process}/stat"))
        .and_then(|stat| {
            stat[stat.rfind(')')? + 1..]
                .split_ascii_whitespace()
                .next()
                .map(|state| state != "Z" && state != "X")
        })
        .unwrap_or(false)
}

/// As the learner would type it.
pub(crate) fn command_line(process: u32) -> String {
    read(&format!("/proc/{process}/cmdline"))
        .unwrap_or_default()
        .replace('\0', " ")
        .trim_end()
        .to_owned()
}

pub(crate) fn end_descendants() {
    for process in descendants() {
        // SAFETY: a system call with integers; the process is a descendant, and as we are its reaper its number
        // cannot have been given to a stranger.
        unsafe { libc::kill(process.cast_signed(), libc::SIGKILL) };
    }
}

/// Whether a check that sleeps waits for a child that works.
#[derive(Debug, Default)]
pub(crate) struct Children {
    cpu: Duration,
}

impl Children {
    pub(crate) fn work(&mut self) -> bool {
        let activities: Vec<_> = descendants()
            .iter()
            .filter_map(|process| activity(&format!("/proc/{process}")))
            .collect();
        let before = std::mem::replace(&mut self.cpu, activities.iter().map(|(_, cpu)| *cpu).sum());
        activities.iter().any(|(asleep, _)| !asleep) || self.cpu != before
    }
}
