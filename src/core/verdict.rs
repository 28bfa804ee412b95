//! Verdicts: build outcome + endings + lab records -> `Verdict`. Touches no disk, process or clock.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::manifest::VerdictKind;
use super::record::{HangKind, Leftover, PanicOn, Place, Record, StuckTask};

mod build;
mod calls;
mod contract;
mod ending;
mod judge;
mod lint;
mod run;
#[cfg(test)]
mod tests;
mod words;

pub use calls::checks_until;
pub use judge::judge;
pub use lint::{LintOutcome, LintSources, judge as judge_lint};

/// How the process of one check ended, as the runner saw it from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    /// Ended by a signal that was not ours (SIGSEGV, SIGABRT, ...).
    Signalled(i32),
    /// The outer deadline passed; the group was ended by us. `busy`: it used the processor to the end.
    Deadline {
        busy: bool,
    },
    /// Ended by us, as it wrote without end into the only folder that a sandbox left it.
    FilledFolder,
}

/// All that is known of one check's process.
#[derive(Debug, Clone)]
pub struct CheckRun {
    /// `an_import_of_no_files_ends`
    pub name: String,
    pub ending: Ending,
    pub records: Vec<Record>,
    /// Standard output and error together, capped.
    pub output: String,
    pub took: Duration,
}

/// A rustc diagnostic, already rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// `error` or `warning`
    pub level: String,
    /// `E0277`; not every error has one.
    pub code: Option<String>,
    pub message: String,
    /// With ANSI colour; views strip it where there is none.
    pub rendered: String,
    /// The primary span if it is in the subject's file; else the first span there of its labels and notes.
    pub at: Option<Place>,
}

/// The one outcome of checking a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    DoesNotCompile {
        diagnostics: Vec<Diagnostic>,
    },
    CheckFailed {
        failure: Failure,
    },
    Hung {
        kind: HangKind,
        tasks: Vec<StuckTask>,
    },
    OverMemory {
        peak: u64,
        limit: u64,
    },
    Panicked {
        message: String,
        swallowed: bool,
    },
    EndedEarly {
        how: String,
    },
    LeftRunning {
        what: Leftover,
        count: u64,
        detail: String,
    },
    /// This machine cannot check it, which is nobody's fault: neither passed nor failed.
    Skipped {
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
    pub expected: Option<String>,
    pub seen: Option<String>,
}

impl Verdict {
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Passed => VerdictKind::Passed,
            Verdict::DoesNotCompile { .. } => VerdictKind::DoesNotCompile,
            Verdict::CheckFailed { .. } => VerdictKind::CheckFailed,
            Verdict::Hung { .. } => VerdictKind::Hung,
            Verdict::OverMemory { .. } => VerdictKind::OverMemory,
            Verdict::Panicked { .. } => VerdictKind::Panicked,
            Verdict::EndedEarly { .. } => VerdictKind::EndedEarly,
            Verdict::LeftRunning { .. } => VerdictKind::LeftRunning,
            Verdict::Skipped { .. } => VerdictKind::Skipped,
        }
    }

    pub fn passed(&self) -> bool {
        matches!(self, Verdict::Passed)
    }

    pub fn skipped(&self) -> bool {
        matches!(self, Verdict::Skipped { .. })
    }
}

/// What rustc made of a subject and its checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildOutcome {
    Built {
        warnings: Vec<Diagnostic>,
    },
    /// Errors and warnings, as rustc ordered them.
    Refused {
        diagnostics: Vec<Diagnostic>,
    },
}

/// The texts behind a verdict: they name lines where the records name none.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// As it stands in records and diagnostics: `exercises/04_locks/self_deadlock.rs`.
    pub subject_file: &'a str,
    pub subject: &'a str,
    /// As it stands in records and diagnostics: `checks/04_locks/self_deadlock.rs`.
    pub checks_file: &'a str,
    pub checks: &'a str,
    /// A text that keeps the contract, the exercise as shipped or the solution: the checks rely on its `pub` items.
    /// `None` where there is none.
    pub shipped: Option<&'a str>,
    /// The checks after this one were not run, on purpose.
    pub until: Option<&'a str>,
}

/// A subject, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// That of the first check that did not pass.
    pub verdict: Verdict,
    /// In the subject's file, the most telling first. Never empty for a failure that has a line.
    pub at: Vec<Place>,
    /// One sentence about `verdict`; empty where it passed.
    pub message: String,
    /// In the order of the checks' source. Empty where the subject does not compile.
    pub checks: Vec<CheckOutcome>,
    pub warnings: Vec<Diagnostic>,
    /// Of the check that gave the verdict.
    pub swallowed: Vec<Swallowed>,
}

impl Judged {
    /// The check that gave the verdict, unless all passed or none ran.
    pub fn failing(&self) -> Option<&CheckOutcome> {
        self.checks.iter().find(|check| !check.verdict.passed())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckOutcome {
    pub name: String,
    pub verdict: Verdict,
    pub at: Vec<Place>,
    /// One sentence; empty where the check passed.
    pub message: String,
    /// Panics that were caught on the way, by Tokio or the subject, and are not the verdict itself.
    pub swallowed: Vec<Swallowed>,
    pub output: String,
    pub took: Duration,
}

/// A panic that did not end its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swallowed {
    pub message: String,
    pub on: PanicOn,
    pub origin: Option<Place>,
    pub at: Vec<Place>,
}

/// Not the learner's doing: the checks are broken, or did not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OurFault {
    #[error(
        "{file} does not compile, and not because of the exercise: {message}; please report it"
    )]
    ChecksDoNotCompile { file: String, message: String },
    #[error("the check `{check}` panicked in its own code, {origin}: {message}; please report it")]
    CheckPanicked {
        check: String,
        origin: String,
        message: String,
    },
    #[error("{file} has no checks; it needs at least one `#[test]` function")]
    NoChecks { file: String },
    #[error("the checks {names} of {file} did not run; please report it")]
    NotRun { file: String, names: String },
}
