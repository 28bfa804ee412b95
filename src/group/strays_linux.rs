//! Orphans of our groups become our own children. A child that is no leader, and not in our own group as any program
//! started in the plain way is, is such an orphan.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Once;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

/// After SIGKILL a process needs a processor once more; on a crowded machine that is not at once. Only one inside a
/// system call that cannot be interrupted lives this long.
const DEATH: Timespec = Timespec {
    tv_sec: 3,
    tv_nsec: 0,
};
/// Each orphan that dies may leave us its own children; a chain longer than this is left to the next call.
const GENERATIONS: usize = 64;

pub(super) fn adopt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it (an old kernel, a strict sandbox) orphans go to init, as elsewhere.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    });
}

/// Returns when the process is a zombie or gone; blocks, but SIGKILL has been sent: mostly for a millisecond.
pub(super) fn await_death(process: u32) {
    let Some(pid) = Pid::from_raw(process as i32) else {
        return;
    };
    if let Ok(handle) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
        let _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&DEATH));
    }
}

pub(super) fn end(leaders: &BTreeSet<u32>) {
    for _ in 0..GENERATIONS {
        let orphans: Vec<u32> = children()
            .into_iter()
            .filter(|child| !leaders.contains(child) && !in_our_group(*child) && !is_spared(*child))
            .collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            end_one(orphan);
        }
    }
}

fn in_our_group(child: u32) -> bool {
    let group = rustix::process::getpgid(Pid::from_raw(child as i32));
    group.is_ok_and(|group| group == rustix::process::getpgrp())
}

/// What `spared` gave is in its environment.
fn is_spared(child: u32) -> bool {
    let Some(token) = super::TOKEN.get() else {
        return false;
    };
    let wanted = format!("{}={token}", super::SPARED);
    let environment = fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
    environment
        .split(|byte| *byte == 0)
        .any(|variable| variable == wanted.as_bytes())
}

fn end_one(orphan: u32) {
    let Some(pid) = Pid::from_raw(orphan as i32) else {
        return;
    };
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    await_death(orphan);
    let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
}

/// Of every thread: the kernel hangs an orphan on whichever it likes.
fn children() -> Vec<u32> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}
