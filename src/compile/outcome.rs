//! How rustc ended and what it said -> outcome. Pure.

use std::process::ExitStatus;

use super::diagnostics::{Said, ours};
use crate::core::verdict::{BuildOutcome, Diagnostic};

#[derive(Debug)]
pub(super) enum Ended {
    Outcome(BuildOutcome),
    /// No error, no program: rustc itself broke. Its incremental data may be to blame.
    Crashed(Diagnostic),
    /// The machine's fault, in words.
    Machine(String),
}

/// Said by linkers of every kind where a learner's `extern` block is wrong.
const LEARNERS_LINK: [&str; 3] = [
    "undefined symbol",
    "undefined reference",
    "unresolved external symbol",
];

pub(super) fn outcome(status: ExitStatus, said: Said, subject: &str) -> Ended {
    if status.success() {
        return Ended::Outcome(BuildOutcome::Built {
            warnings: said.warnings,
        });
    }
    if let Some(fault) = said.errors.iter().find_map(machine_fault) {
        return Ended::Machine(fault);
    }
    // 101: an internal error of rustc; it may come after honest ones.
    if said.errors.is_empty() || status.code() != Some(1) {
        return crashed(status, &said, subject);
    }
    let mut diagnostics = said.errors;
    for diagnostic in &mut diagnostics {
        if diagnostic.at.is_none()
            && LEARNERS_LINK
                .iter()
                .any(|words| diagnostic.rendered.contains(words))
        {
            diagnostic.at = ours(String::new(), subject, 1).at;
        }
    }
    diagnostics.extend(said.warnings);
    Ended::Outcome(BuildOutcome::Refused { diagnostics })
}

/// rustc names the lab's crates as it finds them; nothing a learner writes makes them not fit.
const MISFIT: [&str; 4] = ["E0460", "E0463", "E0514", "E0786"];

/// An error that is not in the subject, and not in any other source.
fn machine_fault(error: &Diagnostic) -> Option<String> {
    if error.at.is_some() {
        return None;
    }
    let text = &error.rendered;
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let advice = if error
        .code
        .as_deref()
        .is_some_and(|code| MISFIT.contains(&code))
    {
        "the cached lab does not fit; `asynclings doctor` says where it is, delete it"
    } else if text.contains("--> ") {
        return None;
    } else if says(&[
        "No space left on device",
        "os error 28",
        "Bus error",
        "os error 112",
    ]) {
        "the disk is full; make room"
    } else if says(&["linker `"]) && says(&["not found"]) {
        "there is no linker; install a C compiler"
    } else if says(&["Permission denied", "Read-only file system"]) {
        "a folder cannot be written"
    } else if error.message.starts_with("linking with") && !says(&LEARNERS_LINK) {
        "the linker failed"
    } else {
        return None;
    };
    Some(format!(
        "rustc cannot make the program: {advice}\n{}",
        text.trim_end()
    ))
}

fn crashed(status: ExitStatus, said: &Said, subject: &str) -> Ended {
    if killed(status) {
        return Ended::Machine(
            "rustc was killed; does the machine have enough memory?".to_string(),
        );
    }
    let last = said.noise.trim_end().lines().last().unwrap_or_default();
    let message = format!(
        "rustc itself crashed on {subject} ({status}): is there a macro or a type without end? {last}"
    );
    Ended::Crashed(ours(message.trim_end().to_string(), subject, 1))
}

#[cfg(unix)]
fn killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(9)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> bool {
    false
}
