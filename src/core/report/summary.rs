//! A learner's own progress, to be handed in: what was done, how often it was tried, where it went slowly. It is made of
//! exercises and figures alone; no path, name, code or message of the learner's is in it. Pure text.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::{SCHEMA, text};
use crate::core::manifest::{Exercise, Manifest, VerdictKind};
use crate::core::progress::{Progress, Record};

/// Rows of what went slowly.
const SLOW: usize = 5;
/// Attempts from which on an exercise that passed was hard.
const MANY: u64 = 5;

/// `report --format json`, one line.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    schema: u32,
    passed: usize,
    total: usize,
    attempts: u64,
    exercises: Vec<Row<'a>>,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    exercise: &'a str,
    chapter: &'a str,
    state: State,
    attempts: u64,
    /// The highest level taken, 0 to 3.
    hints: u8,
    /// From the first check to the first pass, by the clock on the wall. `null`: not passed, or begun before this was kept.
    seconds: Option<u64>,
    /// `null`: never checked, or not kept.
    last_verdict: Option<VerdictKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Passed,
    /// It passed once, and the file has been changed or reset since.
    PassedBefore,
    Tried,
    Open,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Passed => "passed",
            State::PassedBefore => "passed before",
            State::Tried => "tried",
            State::Open => "not begun",
        }
    }
}

impl<'a> Row<'a> {
    fn of(exercise: &'a Exercise, record: Record) -> Self {
        let state = match record {
            Record { done: true, .. } => State::Passed,
            Record {
                first_pass: Some(_),
                ..
            } => State::PassedBefore,
            Record { attempts: 1.., .. } => State::Tried,
            _ => State::Open,
        };
        let seconds = record.first_pass.zip(record.first_attempt);
        Self {
            exercise: &exercise.name,
            chapter: &exercise.chapter,
            state,
            attempts: record.attempts,
            hints: record.hints,
            // A clock that was set back says nothing.
            seconds: seconds.and_then(|(pass, first)| pass.checked_sub(first)),
            last_verdict: record.last,
        }
    }

    fn is_stuck(&self) -> bool {
        self.state == State::Tried
    }

    fn was_slow(&self) -> bool {
        self.is_stuck() || self.attempts >= MANY || self.hints == 3
    }
}

pub fn summary<'a>(manifest: &'a Manifest, progress: &Progress) -> Summary<'a> {
    let row = |exercise: &'a Exercise| Row::of(exercise, progress.of(&exercise.name));
    let exercises: Vec<Row> = manifest.exercises.iter().map(row).collect();
    Summary {
        schema: SCHEMA,
        passed: progress.done(manifest),
        total: exercises.len(),
        attempts: exercises.iter().map(|row| row.attempts).sum(),
        exercises,
    }
}

impl Summary<'_> {
    pub fn json(&self) -> String {
        text(self)
    }

    /// Markdown that reads as plain text.
    pub fn markdown(&self) -> String {
        let Self {
            passed,
            total,
            attempts,
            ..
        } = self;
        let mut lines = vec![
            "# asynclings: my progress".to_owned(),
            String::new(),
            format!(
                "{passed} of {total} exercises passed, with {}.",
                checks(*attempts)
            ),
        ];
        let begun = |row: &&Row| row.state != State::Open;
        let (begun, open): (Vec<&Row>, Vec<&Row>) = self.exercises.iter().partition(begun);
        if !begun.is_empty() {
            lines.push(String::new());
            lines.extend(table(&begun));
            lines.push(String::new());
            lines.push(
                "Time goes from the first check to the first pass, by the clock on the wall: breaks and nights count. In watch \
                 mode the first check is when the exercise is first shown."
                    .to_owned(),
            );
        }
        lines.extend(self.slow());
        if !open.is_empty() {
            let names: Vec<&str> = open.iter().map(|row| row.exercise).collect();
            lines.push(String::new());
            lines.push(format!("Not begun ({}): {}", names.len(), names.join(", ")));
        }
        lines.join("\n") + "\n"
    }

    /// What has not passed first, then by attempts.
    fn slow(&self) -> Vec<String> {
        let mut rows: Vec<&Row> = self.exercises.iter().filter(|row| row.was_slow()).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.is_stuck(), row.attempts, row.hints)));
        if rows.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![
            String::new(),
            "## Where it went slowly".to_owned(),
            String::new(),
        ];
        for row in rows.into_iter().take(SLOW) {
            let last = match row.last_verdict {
                Some(verdict) => format!(", last verdict: {}", verdict.word().replace('_', " ")),
                None => String::new(),
            };
            lines.push(format!(
                "* `{}`: {}, {}, {} of 3 hints{last}",
                row.exercise,
                row.state.word(),
                checks(row.attempts),
                row.hints
            ));
        }
        lines
    }
}

fn table(rows: &[&Row]) -> Vec<String> {
    let head = ["exercise", "chapter", "state", "checks", "hints", "time"];
    let mut cells = vec![head.map(str::to_owned)];
    cells.extend(rows.iter().map(|row| {
        [
            row.exercise.to_owned(),
            row.chapter.to_owned(),
            row.state.word().to_owned(),
            row.attempts.to_string(),
            row.hints.to_string(),
            row.seconds.map_or("-".to_owned(), time),
        ]
    }));
    let widest = |column: usize| {
        cells
            .iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(widest);
    let line = |row: &[String; 6]| {
        let padded = row.iter().zip(widths);
        let padded =
            padded.map(|(cell, wide)| format!("{cell}{}", " ".repeat(wide - cell.width())));
        format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
    };
    let mut lines: Vec<String> = cells.iter().map(line).collect();
    let rule = widths.map(|wide| "-".repeat(wide));
    lines.insert(1, format!("| {} |", rule.join(" | ")));
    lines
}

fn checks(n: u64) -> String {
    match n {
        1 => "1 check".to_owned(),
        n => format!("{n} checks"),
    }
}

/// `50 s`, `25 min`, `3 h 20 min`, `2 d 4 h`
fn time(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}
