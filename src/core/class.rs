//! A class: who stands where in the workbook, as `grade` found it and `merge` joins it. Pure data and text.
//!
//! A [`Class`] is a table, a row a learner and a cell an exercise. Each shard of a class writes the whole table, with
//! [`Cell::Elsewhere`] where another shard has the verdict, so joining is filling holes, and what is still a hole then
//! was lost with its shard.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::manifest::VerdictKind;
use super::report::Line;

mod classroom;
mod complaint;
mod csv;
mod evidence;
mod exercism;
mod file_names;
mod html;
mod joined;
mod json;
mod junit;
mod names;
mod points;
#[cfg(test)]
mod sample;
mod table;
mod tally;
mod tame;
#[cfg(test)]
mod tests;

pub use self::csv::csv;
pub use classroom::classroom;
pub use complaint::Complaint;
pub use exercism::exercism;
pub use html::html;
pub use joined::{Mismatch, joined};
pub use json::{from_json, to_json};
pub use junit::junit;
pub use names::names;
pub use points::{Part, Points, columns, points};
pub use table::table;
pub use tally::Tally;

/// The whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// In the order of the path.
    pub columns: Vec<Column>,
    /// By name.
    pub learners: Vec<Learner>,
    /// Changes with the checks, the lab, the limits and the toolchain: verdicts of two such are not to be mixed.
    pub judge: String,
}

/// An exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub exercise: String,
    pub chapter: String,
    pub title: String,
    /// For a pass.
    pub points: u32,
    /// The title of the part of the course that it belongs to, and until when that is to be handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Counts for the score: its part is due, or it belongs to none.
    #[serde(default = "yes")]
    pub counts: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, PartialEq)]
pub struct Learner {
    pub name: String,
    /// What is wrong with the folder as a whole: then each cell says `Broken` as well.
    pub problem: Option<String>,
    /// One a column.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Judged(Box<Judged>),
    /// No verdict: the file is missing or cannot be read, or this machine could not judge it. A sentence that says
    /// what, where, and what to do.
    Broken(String),
    /// Another shard has it: `shard` of `of`, counted from 1.
    Elsewhere {
        shard: u32,
        of: u32,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub line: Line,
    /// The file is what was handed out: nobody has begun.
    pub untouched: bool,
    /// What a person should look at, as no judge inside the same process can be sure: `uses unsafe in line 7`. It
    /// changes no verdict.
    pub notes: Vec<String>,
}

/// What a cell comes to in one word: for tables, where there is no room for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Passed,
    /// Judged, and not passed.
    Failed(VerdictKind),
    /// As it was handed out.
    Untouched,
    Skipped,
    Broken,
    Elsewhere,
}

impl Cell {
    pub fn state(&self) -> State {
        match self {
            Cell::Judged(judged) => match judged.line.verdict {
                VerdictKind::Passed => State::Passed,
                VerdictKind::Skipped => State::Skipped,
                _ if judged.untouched => State::Untouched,
                verdict => State::Failed(verdict),
            },
            Cell::Broken(_) => State::Broken,
            Cell::Elsewhere { .. } => State::Elsewhere,
        }
    }
}

impl State {
    /// As in CSV: `check_failed`.
    pub fn word(self) -> &'static str {
        match self {
            State::Passed => VerdictKind::Passed.word(),
            State::Failed(verdict) => verdict.word(),
            State::Untouched => "untouched",
            State::Skipped => VerdictKind::Skipped.word(),
            State::Broken => "broken",
            State::Elsewhere => "elsewhere",
        }
    }

    /// Where there is room for one character.
    pub fn sign(self) -> char {
        match self {
            State::Passed => '✓',
            State::Failed(VerdictKind::DoesNotCompile) => 'N',
            State::Failed(VerdictKind::Hung) => 'H',
            State::Failed(VerdictKind::OverMemory) => 'M',
            State::Failed(VerdictKind::Panicked) => 'P',
            State::Failed(VerdictKind::EndedEarly) => 'E',
            State::Failed(VerdictKind::LeftRunning) => 'L',
            State::Failed(_) => 'F',
            State::Untouched => '·',
            State::Skipped => '-',
            State::Broken => '?',
            State::Elsewhere => '/',
        }
    }

    /// What the sign means.
    pub fn meaning(self) -> &'static str {
        match self {
            State::Passed => "passed",
            State::Failed(VerdictKind::DoesNotCompile) => "does not compile",
            State::Failed(VerdictKind::Hung) => "hung",
            State::Failed(VerdictKind::OverMemory) => "over memory",
            State::Failed(VerdictKind::Panicked) => "panicked",
            State::Failed(VerdictKind::EndedEarly) => "ended early",
            State::Failed(VerdictKind::LeftRunning) => "left running",
            State::Failed(_) => "check failed",
            State::Untouched => "not begun",
            State::Skipped => "skipped on that machine",
            State::Broken => "no verdict",
            State::Elsewhere => "another shard's",
        }
    }

    /// As a legend lists them.
    fn all() -> impl Iterator<Item = State> {
        let failed = VerdictKind::ALL
            .into_iter()
            .map(State::Failed)
            .filter(|state| {
                !matches!(
                    state,
                    State::Failed(VerdictKind::Passed | VerdictKind::Skipped)
                )
            });
        let others = [
            State::Untouched,
            State::Skipped,
            State::Broken,
            State::Elsewhere,
        ];
        [State::Passed].into_iter().chain(failed).chain(others)
    }
}

/// Points, of those that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    pub points: u32,
    pub of: u32,
    pub passed: u32,
    pub exercises: u32,
}

impl Class {
    /// The states that some cell has, as a legend lists them.
    fn states(&self) -> Vec<State> {
        let cells = self.learners.iter().flat_map(|learner| &learner.cells);
        let found: HashSet<State> = cells.map(Cell::state).collect();
        State::all().filter(|state| found.contains(state)).collect()
    }

    pub fn score(&self, learner: &Learner) -> Score {
        let counted = self.columns.iter().zip(&learner.cells);
        let mut score = Score::default();
        for (column, cell) in counted.filter(|(column, _)| column.counts) {
            // Nobody's fault, so nobody's loss.
            if cell.state() == State::Skipped {
                continue;
            }
            score.of += column.points;
            score.exercises += 1;
            if cell.state() == State::Passed {
                score.points += column.points;
                score.passed += 1;
            }
        }
        score
    }
}
