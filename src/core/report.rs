//! Verdicts, exercises and hints as data: JSON, one object a line, and JUnit. Pure text.
//!
//! The JSON has `"schema": 1`. Fields are only ever added, so a reader skips what it does not know. See [`Line`],
//! [`List`] and [`Hint`] for each field.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::manifest::{Exercise, Manifest, Subject, VerdictKind};
use super::progress::Progress;
use super::record::{HangKind, PanicOn, Place, StuckTask};
use super::verdict::{CheckOutcome, Diagnostic, Judged, Verdict};

mod incident;
mod junit;
mod summary;
#[cfg(test)]
mod tests;

pub use incident::incident;
pub use junit::{as_ci_reads_it, junit};
pub use summary::{Summary, summary};

const SCHEMA: u32 = 1;

/// A judged subject, and what it took.
#[derive(Debug, Clone, Copy)]
pub struct Reported<'a> {
    pub exercise: &'a Exercise,
    pub subject: &'a Subject,
    pub judged: &'a Judged,
    pub compile: Duration,
    /// All checks together, on the wall clock.
    pub run: Duration,
}

/// One verdict. `grade` keeps and joins such lines, so they are read as well as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub schema: u32,
    pub exercise: String,
    pub chapter: String,
    /// `exercise`, `solution`, `right/NAME` or `wrong/NAME`
    pub subject: String,
    pub verdict: VerdictKind,
    /// With `hung` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<HangKind>,
    /// One sentence; empty where it passed.
    pub message: String,
    /// In the subject's file, the most telling first.
    pub at: Vec<Place>,
    /// In the order of their source; empty where the subject does not compile.
    pub checks: Vec<Check>,
    /// Of rustc, with `does_not_compile` only; errors in the learner's file first.
    pub diagnostics: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    pub compile_ms: u64,
    pub run_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub name: String,
    pub outcome: VerdictKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<HangKind>,
    pub message: String,
    pub ms: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Place>,
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Panics that Tokio or the subject caught on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swallowed: Vec<Panic>,
    /// What the subject printed, capped; only of a check that did not pass.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// What belongs to one verdict only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// `check_failed`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// `hung`: where each stuck task was spawned, and its chain of `.await`s, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<StuckTask>,
    /// `over_memory`, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panic {
    pub message: String,
    pub on: PanicOn,
    pub at: Vec<Place>,
}

/// One verdict as one line of JSON, without the line's end.
pub fn json(reported: &Reported<'_>) -> String {
    text(&line(reported))
}

pub fn line(reported: &Reported<'_>) -> Line {
    let Reported {
        exercise,
        subject,
        judged,
        compile,
        run,
    } = *reported;
    let diagnostics = match &judged.verdict {
        Verdict::DoesNotCompile { diagnostics } => plain(diagnostics),
        _ => Vec::new(),
    };
    Line {
        schema: SCHEMA,
        exercise: exercise.name.clone(),
        chapter: exercise.chapter.clone(),
        subject: subject.to_string(),
        verdict: judged.verdict.kind(),
        kind: hang_kind(&judged.verdict),
        message: judged.message.clone(),
        at: judged.at.clone(),
        checks: judged.checks.iter().map(check).collect(),
        diagnostics,
        warnings: plain(&judged.warnings),
        compile_ms: millis(compile),
        run_ms: millis(run),
    }
}

fn check(check: &CheckOutcome) -> Check {
    let swallowed = check.swallowed.iter();
    Check {
        name: check.name.clone(),
        outcome: check.verdict.kind(),
        kind: hang_kind(&check.verdict),
        message: check.message.clone(),
        ms: millis(check.took),
        at: check.at.clone(),
        evidence: evidence(&check.verdict),
        swallowed: swallowed
            .map(|panic| Panic {
                message: panic.message.clone(),
                on: panic.on,
                at: panic.at.clone(),
            })
            .collect(),
        output: if check.verdict.passed() {
            String::new()
        } else {
            check.output.clone()
        },
    }
}

fn evidence(verdict: &Verdict) -> Evidence {
    match verdict {
        Verdict::CheckFailed { failure } => Evidence {
            expected: failure.expected.clone(),
            seen: failure.seen.clone(),
            ..Evidence::default()
        },
        Verdict::Hung { tasks, .. } => Evidence {
            tasks: tasks.clone(),
            ..Evidence::default()
        },
        Verdict::OverMemory { peak, limit } => Evidence {
            peak: Some(*peak),
            limit: Some(*limit),
            ..Evidence::default()
        },
        _ => Evidence::default(),
    }
}

fn hang_kind(verdict: &Verdict) -> Option<HangKind> {
    match verdict {
        Verdict::Hung { kind, .. } => Some(*kind),
        _ => None,
    }
}

/// Without colour: data has no terminal.
fn plain(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let strip = |diagnostic: &Diagnostic| Diagnostic {
        rendered: strip_ansi_escapes::strip_str(&diagnostic.rendered),
        ..diagnostic.clone()
    };
    diagnostics.iter().map(strip).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The workbook and what is done of it.
#[derive(Debug, Serialize)]
pub struct List<'a> {
    schema: u32,
    /// Of titles: `en`.
    language: &'a str,
    done: usize,
    total: usize,
    /// The name of the exercise that `run` and watch mode take.
    current: Option<&'a str>,
    chapters: Vec<ListedChapter<'a>>,
    tracks: Vec<ListedTrack<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedTrack<'a> {
    id: &'a str,
    title: &'a str,
    /// Names, in the track's order.
    exercises: &'a [String],
}

#[derive(Debug, Serialize)]
struct ListedChapter<'a> {
    id: &'a str,
    title: &'a str,
    exercises: Vec<Listed<'a>>,
}

#[derive(Debug, Serialize)]
struct Listed<'a> {
    name: &'a str,
    /// On the path through the workbook or track, from 1.
    position: usize,
    title: &'a str,
    /// 1 to 5.
    difficulty: u8,
    minutes: u32,
    done: bool,
    attempts: u64,
    /// Unix seconds.
    first_pass: Option<u64>,
    /// The highest level taken, 0 to 3.
    hints: u8,
    /// When or how it opens; absent where it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<String>,
}

/// `list --format json`, one line.
pub fn list_json(manifest: &Manifest, progress: &Progress) -> String {
    let listed = |exercise: &'_ Exercise| progress.of(&exercise.name);
    let chapters = manifest.chapters.iter().map(|chapter| ListedChapter {
        id: &chapter.id,
        title: &chapter.title,
        exercises: (1..)
            .zip(&manifest.exercises)
            .filter(|(_, exercise)| exercise.chapter == chapter.id)
            .map(|(position, exercise)| {
                let record = listed(exercise);
                Listed {
                    name: &exercise.name,
                    position,
                    title: &exercise.title,
                    difficulty: exercise.difficulty,
                    minutes: exercise.minutes,
                    done: record.done,
                    attempts: record.attempts,
                    first_pass: record.first_pass,
                    hints: record.hints,
                    closed: progress
                        .closed(manifest, &exercise.name)
                        .map(ToString::to_string),
                }
            })
            .collect(),
    });
    text(&List {
        schema: SCHEMA,
        language: &manifest.language,
        done: progress.done(manifest),
        total: manifest.exercises.len(),
        current: progress
            .current(manifest)
            .map(|exercise| exercise.name.as_str()),
        chapters: chapters.collect(),
        tracks: manifest
            .tracks
            .iter()
            .map(|track| ListedTrack {
                id: &track.id,
                title: &track.title,
                exercises: &track.exercises,
            })
            .collect(),
    })
}

/// One hint.
#[derive(Debug, Serialize)]
pub struct Hint<'a> {
    schema: u32,
    exercise: &'a str,
    /// 1 look, 2 think, 3 do.
    level: u8,
    text: &'a str,
    /// No further level.
    last: bool,
}

/// `hint --format json`, one line. `level`: 1 to 3.
pub fn hint_json(exercise: &Exercise, level: u8) -> String {
    let index = usize::from(level.clamp(1, 3)) - 1;
    text(&Hint {
        schema: SCHEMA,
        exercise: &exercise.name,
        level,
        text: &exercise.hints[index],
        last: index == 2,
    })
}

fn text(value: &impl Serialize) -> String {
    // Fails for maps with keys that are no strings only, and there are none.
    serde_json::to_string(value).unwrap_or_default()
}
