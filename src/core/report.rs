//! Verdicts, exercises and hints as data: JSON, one object a line, and JUnit. Pure text.
//!
//! The JSON has `"schema": 1`. Fields are only ever added, so a reader skips what it does not know. See [`Line`],
//! [`List`] and [`Hint`] for each field.

use std::time::Duration;

use serde::Serialize;

use super::manifest::{Exercise, Manifest, Subject, VerdictKind};
use super::progress::Progress;
use super::record::{HangKind, PanicOn, Place, StuckTask};
use super::verdict::{CheckOutcome, Diagnostic, Judged, Verdict};

mod incident;
mod junit;
#[cfg(test)]
mod tests;

pub use incident::incident;
pub use junit::junit;

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

/// One verdict.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    schema: u32,
    exercise: &'a str,
    chapter: &'a str,
    /// `exercise`, `solution`, `right/NAME` or `wrong/NAME`
    subject: String,
    verdict: VerdictKind,
    /// With `hung` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<HangKind>,
    /// One sentence; empty where it passed.
    message: &'a str,
    /// In the subject's file, the most telling first.
    at: &'a [Place],
    /// In the order of their source; empty where the subject does not compile.
    checks: Vec<Check<'a>>,
    /// Of rustc, with `does_not_compile` only; errors in the learner's file first.
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    compile_ms: u64,
    run_ms: u64,
}

#[derive(Debug, Serialize)]
struct Check<'a> {
    name: &'a str,
    outcome: VerdictKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<HangKind>,
    message: &'a str,
    ms: u64,
    #[serde(skip_serializing_if = "<[Place]>::is_empty")]
    at: &'a [Place],
    #[serde(flatten)]
    evidence: Evidence<'a>,
    /// Panics that Tokio or the subject caught on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    swallowed: Vec<Panic<'a>>,
    /// What the subject printed, capped; only of a check that did not pass.
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'a str,
}

/// What belongs to one verdict only.
#[derive(Debug, Default, Serialize)]
struct Evidence<'a> {
    /// `check_failed`
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a str>,
    /// `hung`: where each stuck task was spawned, and its chain of `.await`s, outermost first.
    #[serde(skip_serializing_if = "<[StuckTask]>::is_empty")]
    tasks: &'a [StuckTask],
    /// `over_memory`, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Panic<'a> {
    message: &'a str,
    on: PanicOn,
    at: &'a [Place],
}

/// One verdict as one line of JSON, without the line's end.
pub fn json(reported: &Reported<'_>) -> String {
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
    text(&Line {
        schema: SCHEMA,
        exercise: &exercise.name,
        chapter: &exercise.chapter,
        subject: subject.to_string(),
        verdict: judged.verdict.kind(),
        kind: hang_kind(&judged.verdict),
        message: &judged.message,
        at: &judged.at,
        checks: judged.checks.iter().map(check).collect(),
        diagnostics,
        warnings: plain(&judged.warnings),
        compile_ms: millis(compile),
        run_ms: millis(run),
    })
}

fn check(check: &CheckOutcome) -> Check<'_> {
    let swallowed = check.swallowed.iter();
    Check {
        name: &check.name,
        outcome: check.verdict.kind(),
        kind: hang_kind(&check.verdict),
        message: &check.message,
        ms: millis(check.took),
        at: &check.at,
        evidence: evidence(&check.verdict),
        swallowed: swallowed
            .map(|panic| Panic {
                message: &panic.message,
                on: panic.on,
                at: &panic.at,
            })
            .collect(),
        output: if check.verdict.passed() {
            ""
        } else {
            &check.output
        },
    }
}

fn evidence(verdict: &Verdict) -> Evidence<'_> {
    match verdict {
        Verdict::CheckFailed { failure } => Evidence {
            expected: failure.expected.as_deref(),
            seen: failure.seen.as_deref(),
            ..Evidence::default()
        },
        Verdict::Hung { tasks, .. } => Evidence {
            tasks,
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
                }
            })
            .collect(),
    });
    text(&List {
        schema: SCHEMA,
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
