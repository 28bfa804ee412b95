//! Linux: states and processor times from `/proc`, stacks of other threads by a signal.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use super::decide::ThreadSample;
use crate::session::DrivenThread;

#[path = "linux/children.rs"]
mod children;
#[path = "linux/stacks.rs"]
mod stacks;

pub(crate) use children::{Children, command_line, descendants, end_descendants};
pub(crate) use stacks::{pointers_of, prepare};

pub(crate) fn thread_id() -> u32 {
    // SAFETY: a system call without arguments that cannot fail.
    unsafe { libc::gettid() }.unsigned_abs()
}

/// In ascending order.
pub(crate) fn thread_ids() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let mut ids: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    ids.sort_unstable();
    ids
}

/// Every thread but the calling one.
pub(crate) fn sample(driven: &[Arc<DrivenThread>]) -> Vec<ThreadSample> {
    let own = thread_id();
    thread_ids()
        .into_iter()
        .filter(|id| *id != own)
        .filter_map(|id| sample_one(id, driven))
        .collect()
}

fn sample_one(id: u32, driven: &[Arc<DrivenThread>]) -> Option<ThreadSample> {
    let (asleep, cpu) = activity(&format!("/proc/self/task/{id}"))?;
    let parks = driven.iter().find(|thread| thread.id == id);
    let parks = parks.map_or(0, |thread| {
        thread.parks.load(std::sync::atomic::Ordering::Relaxed) + 1
    });
    Some(ThreadSample {
        id,
        asleep,
        cpu,
        parks,
    })
}

/// Whether it sleeps until an event, and its processor time. `None`: it ended meanwhile.
pub(crate) fn activity(folder: &str) -> Option<(bool, Duration)> {
    let stat = read(&format!("{folder}/stat"))?;
    // The name in brackets may hold spaces and brackets.
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    let state = fields.next()?;
    let ticks: u64 = fields
        .skip(10)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    let exact = read(&format!("{folder}/schedstat"))
        .and_then(|times| times.split_ascii_whitespace().next()?.parse().ok())
        .map(Duration::from_nanos);
    Some((
        state == "S",
        exact.unwrap_or(Duration::from_millis(10 * ticks)),
    ))
}

/// A reader that is starved must not make a printing check look blocked.
pub(crate) fn somebody_prints() -> bool {
    const WRITES: [libc::c_long; 3] = [libc::SYS_write, libc::SYS_writev, libc::SYS_sendto];
    thread_ids().into_iter().any(|id| {
        let call = read(&format!("/proc/self/task/{id}/syscall"));
        let number = call.and_then(|call| call.split_ascii_whitespace().next()?.parse().ok());
        number.is_some_and(|number| WRITES.contains(&number))
    })
}

pub(crate) fn thread_name(id: u32) -> String {
    read(&format!("/proc/self/task/{id}/comm"))
        .unwrap_or_default()
        .trim_end()
        .to_owned()
}

/// Small files of `/proc` only.
fn read(path: &str) -> Option<String> {
    let mut bytes = [0u8; 1024];
    let length = File::open(path).ok()?.read(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}
