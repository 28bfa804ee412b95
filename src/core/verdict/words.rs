//! One sentence about a failing verdict.

use super::Verdict;
use crate::core::manifest::Bytes;
use crate::core::record::{HangKind, Leftover, Place};

pub(super) fn sentence(verdict: &Verdict, at: &[Place]) -> String {
    let what = at
        .first()
        .map(|place| place.what.as_str())
        .filter(|what| !what.is_empty());
    match verdict {
        Verdict::Passed => String::new(),
        Verdict::Skipped { reason } => reason.clone(),
        Verdict::DoesNotCompile { .. } => "it does not compile".to_string(),
        Verdict::CheckFailed { failure } => failure.message.clone(),
        Verdict::Hung {
            kind: HangKind::Waiting,
            ..
        } => match what {
            Some(what) => format!("it waits in `{what}` for something that never comes"),
            None => "it waits for something that never comes".to_string(),
        },
        Verdict::Hung {
            kind: HangKind::Blocked,
            ..
        } => match what {
            Some(what) => format!("`{what}` holds the thread, and nothing else can run there"),
            None => "a call holds the thread, and nothing else can run there".to_string(),
        },
        Verdict::Hung {
            kind: HangKind::Spinning,
            ..
        } => "it runs without end, and never comes to wait".to_string(),
        Verdict::OverMemory { peak, limit } => {
            over_memory(&Bytes(*peak).to_string(), &Bytes(*limit).to_string())
        }
        // The verdict's own word stands before it.
        Verdict::Panicked {
            message,
            swallowed: false,
        } => message.clone(),
        Verdict::Panicked {
            message,
            swallowed: true,
        } => format!("in a task: {message}"),
        Verdict::EndedEarly { how } => format!("the process {how}"),
        Verdict::LeftRunning {
            what,
            count,
            detail,
        } => left_running(*what, *count, detail),
    }
}

/// Most cross the limit by a few bytes, and a peak that reads as the limit says nothing.
fn over_memory(peak: &str, limit: &str) -> String {
    if peak == limit {
        format!("it holds more than {limit} at once, its limit")
    } else {
        format!("it holds {peak} at once, and its limit is {limit}")
    }
}

fn left_running(what: Leftover, count: u64, detail: &str) -> String {
    let noun = match (what, count) {
        (Leftover::Task, 1) => "a task is",
        (Leftover::Task, _) => "tasks are",
        (Leftover::Thread, 1) => "a thread is",
        (Leftover::Thread, _) => "threads are",
        (Leftover::Child, 1) => "a child process is",
        (Leftover::Child, _) => "child processes are",
    };
    let count = if count == 1 {
        String::new()
    } else {
        format!("{count} ")
    };
    let detail = if detail.is_empty() {
        String::new()
    } else {
        format!(": {detail}")
    };
    format!("{count}{noun} still running after the check{detail}")
}
