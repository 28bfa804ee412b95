//! Verdicts: build outcome + endings + lab records -> `Verdict`. Touches no disk, process or clock.

use std::time::Duration;

use serde::Serialize;

use super::record::{HangKind, Leftover, Place, Record, StuckTask};

/// How the process of one check ended, as the runner saw it from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    /// Ended by a signal that was not ours (SIGSEGV, SIGABRT, ...).
    Signalled(i32),
    /// The outer deadline passed; the group was ended by us. `busy`: it used the processor to the end.
    Deadline { busy: bool },
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// `error` or `warning`
    pub level: String,
    /// `E0277`; not every error has one.
    pub code: Option<String>,
    pub message: String,
    /// With ANSI colour; views strip it where there is none.
    pub rendered: String,
    /// The primary span, if it is in the subject's file.
    pub at: Option<Place>,
}

/// The one outcome of checking a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    DoesNotCompile { diagnostics: Vec<Diagnostic> },
    CheckFailed { failure: Failure },
    Hung { kind: HangKind, tasks: Vec<StuckTask> },
    OverMemory { peak: u64, limit: u64 },
    Panicked { message: String, swallowed: bool },
    EndedEarly { how: String },
    LeftRunning { what: Leftover, count: u64, detail: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
    pub expected: Option<String>,
    pub seen: Option<String>,
}
