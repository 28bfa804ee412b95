//! How a process ended, where no record says more.

use super::run::{Found, hang_at_deadline};
use super::{CheckRun, Ending, Verdict};
use crate::core::manifest::Exercise;
use crate::core::record::Record;

/// By POSIX, or the same number on Linux and macOS.
const SIGNALS: [(i32, &str); 9] = [
    (4, "was ended by SIGILL, an illegal instruction"),
    (5, "was ended by SIGTRAP"),
    (6, "aborted (SIGABRT)"),
    (8, "was ended by SIGFPE, an arithmetic error"),
    (
        9,
        "was killed (SIGKILL), perhaps by the system for want of memory",
    ),
    (11, "was ended by SIGSEGV, a bad memory access"),
    (13, "was ended by SIGPIPE"),
    (15, "was ended by SIGTERM"),
    (
        24,
        "was ended by SIGXCPU, the system's limit of processor time",
    ),
];
const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;

pub(super) fn found(exercise: &Exercise, run: &CheckRun) -> Found {
    let count = |is: fn(&Record) -> bool| run.records.iter().filter(|record| is(record)).count();
    let ends = count(|record| matches!(record, Record::Finished { .. }));
    // A body begun within the check, by the subject itself, has an end of its own.
    let finished = ends > 0 && ends == count(|record| matches!(record, Record::Started {}));
    let verdict = match run.ending {
        // Status 0 alone is no evidence: `process::exit(0)` gives it as well.
        Ending::Exited(0) if finished => Verdict::Passed,
        Ending::Exited(0) => early("exited with status 0 before the check was over"),
        Ending::Exited(101) => {
            early("exited with status 101, as after a panic that nothing recorded")
        }
        Ending::Exited(status) if finished => early(format!(
            "exited with status {status} after the check was over"
        )),
        Ending::Exited(status) => early(format!(
            "exited with status {status} before the check was over"
        )),
        Ending::Deadline { busy } => hang_at_deadline(busy),
        Ending::FilledFolder => {
            early("was ended, as it filled its folder with more than a check may write")
        }
        Ending::Signalled(signal) => by_signal(exercise, signal, &run.output),
    };
    Found {
        verdict,
        at: Vec::new(),
    }
}

fn early(how: impl Into<String>) -> Verdict {
    Verdict::EndedEarly { how: how.into() }
}

/// The standard library says on standard error why it aborts.
fn by_signal(exercise: &Exercise, signal: i32, output: &str) -> Verdict {
    let aborted = signal == SIGABRT || signal == SIGSEGV;
    if aborted && output.contains("has overflowed its stack") {
        return early("overflowed its stack");
    }
    if let Some(bytes) = refused_allocation(output).filter(|_| aborted) {
        let limit = exercise.limits.memory.0;
        return Verdict::OverMemory {
            peak: bytes.max(limit),
            limit,
        };
    }
    if aborted && output.contains("thread caused non-unwinding panic") {
        return early("panicked where no panic can be caught, and aborted");
    }
    match SIGNALS.iter().find(|(number, _)| *number == signal) {
        Some((_, how)) => early(*how),
        None => early(format!("was ended by signal {signal}")),
    }
}

/// `memory allocation of 68719476736 bytes failed`
fn refused_allocation(output: &str) -> Option<u64> {
    let (_, rest) = output.split_once("memory allocation of ")?;
    let (bytes, _) = rest.split_once(" bytes failed")?;
    bytes.parse().ok()
}
