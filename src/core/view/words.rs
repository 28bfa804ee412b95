//! The words for verdicts and checks, as a learner reads them.

use crate::core::record::{HangKind, PanicOn};
use crate::core::verdict::Verdict;

/// `hung (waiting)`
pub fn title(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::DoesNotCompile { .. } => "does not compile",
        Verdict::CheckFailed { .. } => "check failed",
        Verdict::Hung {
            kind: HangKind::Waiting,
            ..
        } => "hung (waiting)",
        Verdict::Hung {
            kind: HangKind::Blocked,
            ..
        } => "hung (blocked)",
        Verdict::Hung {
            kind: HangKind::Spinning,
            ..
        } => "hung (spinning)",
        Verdict::OverMemory { .. } => "over memory",
        Verdict::Panicked {
            swallowed: false, ..
        } => "panicked",
        Verdict::Panicked {
            swallowed: true, ..
        } => "panicked, unnoticed",
        Verdict::EndedEarly { .. } => "ended early",
        Verdict::LeftRunning { .. } => "left running",
        Verdict::Skipped { .. } => "skipped",
    }
}

/// The sentence in a check's name: `a_transfer_ends` reads `a transfer ends`.
pub fn sentence(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).replace('_', " ")
}

/// Who caught a panic that did not end the check. Whether anybody was told cannot be seen from here.
pub(super) fn caught(on: PanicOn) -> &'static str {
    match on {
        PanicOn::Check => "a panic that was caught",
        PanicOn::Task => "a task panicked, and Tokio caught it",
        PanicOn::Thread => "a thread panicked, and ended by it",
    }
}

/// `3 errors`, `1 error`
pub(super) fn count(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    }
}

/// Mebibytes with one digit, where `Bytes` would round the story away.
pub(super) fn mib(bytes: u64) -> String {
    // Below 2^53 bytes the division is exact enough for one digit.
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
