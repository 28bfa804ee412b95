//! Turns one subject, with its checks or with its own `main`, into a program: rustc itself, on a crate of a few lines.
//! Says what rustc said; what that means is for `core::verdict`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::confine::Sandbox;
use crate::core::verdict::{BuildOutcome, Diagnostic};
use crate::prepare::Lab;

mod command;
mod diagnostics;
mod lint;
mod outcome;
mod rustc;
mod slot;
mod source;

pub use lint::{LintJob, Linted, lint};
use slot::Slot;
use source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The subject and its checks, as a test program.
    Checks,
    /// The subject as a program of its own.
    Main,
}

/// Whether the same subject will be compiled again soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// The second time takes half as long; costs about 8 MB, which the next few subjects evict.
    Incremental,
    /// Quicker than the first of many times.
    Once,
}

#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    pub kind: Kind,
    pub subject: &'a Path,
    /// As diagnostics and debug information name it: `exercises/04_locks/self_deadlock.rs`.
    pub subject_display: &'a str,
    /// File and name of the checks; of no use to `Kind::Main`.
    pub checks: Option<(&'a Path, &'a str)>,
    /// Where all subjects of this workbook are built.
    pub scratch: &'a Path,
    /// Tells the subjects in `scratch` apart.
    pub name: &'a str,
    pub reuse: Reuse,
    /// Nobody trusts the subject. It is then compiled as a crate of its own, before its checks lie beside it: what it
    /// includes, it cannot include those, and it cannot name the lab.
    pub sandbox: Option<&'a Sandbox>,
}

/// The binary is there as long as this is.
#[derive(Debug)]
pub struct Build {
    pub outcome: BuildOutcome,
    pub binary: Option<PathBuf>,
    /// The subject's text as it was compiled, whatever was saved since. Empty where it cannot be read.
    pub subject: String,
    /// Changes with the checks; what was learned of a binary's checks holds as long as it does.
    pub checks_key: String,
    pub took: Duration,
    _slot: Option<Slot>,
}

/// Dropping the future ends rustc. `Err` is the machine's fault or ours; a subject that cannot be compiled, or not even
/// be read, is `Refused`.
pub async fn build(lab: &Lab, job: &Job<'_>) -> Result<Build> {
    let started = Instant::now();
    let subject = match source::subject(job.subject, job.subject_display) {
        Source::Text(text) => text,
        Source::Refused(diagnostic) => return Ok(refused(vec![*diagnostic], started)),
    };
    let checks = match (job.kind, job.checks) {
        (Kind::Checks, Some((path, display))) => Some(source::checks(path, display)?),
        _ => None,
    };
    let slot = Slot::take(job)?;
    let outcome = match (job.sandbox, &checks) {
        (Some(_), Some(checks)) => {
            slot.write_subject_alone(&subject)?;
            match rustc::compile(lab, job, &slot, Part::SubjectAlone).await? {
                BuildOutcome::Built { warnings } => {
                    slot.write_checks(checks)?;
                    let outcome = rustc::compile(lab, job, &slot, Part::Checks).await?;
                    with_warnings(outcome, warnings)
                }
                refused => refused,
            }
        }
        _ => {
            slot.write(&subject, checks.as_deref())?;
            rustc::compile(lab, job, &slot, Part::Whole).await?
        }
    };
    let built = matches!(outcome, BuildOutcome::Built { .. });
    Ok(Build {
        outcome,
        binary: built.then(|| slot.binary()),
        checks_key: key(lab, checks.as_deref().unwrap_or_default()),
        subject,
        took: started.elapsed(),
        _slot: Some(slot),
    })
}

/// What rustc is to make of the files in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The program, of all that is there.
    Whole,
    /// A library of the subject.
    SubjectAlone,
    /// The program, of the checks and that library.
    Checks,
}

/// Those of the subject, which the second of two compilations did not see.
fn with_warnings(outcome: BuildOutcome, mut of_subject: Vec<Diagnostic>) -> BuildOutcome {
    match outcome {
        BuildOutcome::Built { warnings } => {
            of_subject.extend(warnings);
            BuildOutcome::Built {
                warnings: of_subject,
            }
        }
        refused => refused,
    }
}

fn refused(diagnostics: Vec<Diagnostic>, started: Instant) -> Build {
    Build {
        outcome: BuildOutcome::Refused { diagnostics },
        binary: None,
        subject: String::new(),
        checks_key: String::new(),
        took: started.elapsed(),
        _slot: None,
    }
}

fn key(lab: &Lab, checks: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (lab.key.as_str(), checks).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
