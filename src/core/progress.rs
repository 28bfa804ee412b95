//! What is done, attempts, hints taken, and what is next. Reads and writes the text of progress.toml; touches no disk.
//! The text is edited in place: keys and exercises that this version does not know stay as they are.

use std::fmt;

use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::manifest::{Exercise, Manifest, VerdictKind};
use super::pacing::Gate;

#[cfg(test)]
mod tests;

/// What happened to an exercise, from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A verdict was given. `at`: Unix seconds.
    Checked {
        name: String,
        passed: bool,
        /// `None` where only that is known.
        verdict: Option<VerdictKind>,
        at: u64,
    },
    /// A hint of this level (1 to 3) was shown.
    HintTaken { name: String, level: u8 },
    /// The learner moved here.
    MovedTo { name: String },
    /// The file is as shipped again: no longer done. Attempts, first pass and hints stay.
    Reset { name: String },
    /// A word was said that opens a gate.
    Opened { word: String },
}

/// What is known of one exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Its last verdict was `passed`.
    pub done: bool,
    pub attempts: u64,
    /// Unix seconds. Older versions did not keep it.
    pub first_attempt: Option<u64>,
    /// Unix seconds.
    pub first_pass: Option<u64>,
    /// The highest level shown; 0: none.
    pub hints: u8,
    /// The last verdict, where it is known.
    pub last: Option<VerdictKind>,
}

#[derive(Debug, Clone, Default)]
pub struct Progress {
    document: DocumentMut,
    /// Unix seconds: what is open depends on it. Not kept.
    now: u64,
}

/// The text is no progress file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

const EXERCISES: &str = "exercises";
const CURRENT: &str = "current";
/// The words themselves: who has not heard one cannot write it here.
const OPENED: &str = "opened";

impl Progress {
    /// # Errors
    /// Where the text is no TOML. A known key with a value of another kind reads as absent.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let parsed = text.parse::<DocumentMut>();
        let document = parsed.map_err(|error| Unreadable(error.message().to_string()))?;
        Ok(Self { document, now: 0 })
    }

    /// It is this late now. Until it is said, no gate has opened by its date.
    pub fn at(&mut self, now: u64) {
        self.now = now;
    }

    /// Moves what was kept under former names to the present ones.
    pub fn adopt(&mut self, manifest: &Manifest) {
        for exercise in &manifest.exercises {
            for former in &exercise.former_names {
                self.rename(former, &exercise.name);
            }
        }
    }

    fn rename(&mut self, former: &str, name: &str) {
        if self.document.get(CURRENT).and_then(Item::as_str) == Some(former) {
            self.document[CURRENT] = value(name);
        }
        let Some(exercises) = self
            .document
            .get_mut(EXERCISES)
            .and_then(Item::as_table_like_mut)
        else {
            return;
        };
        if exercises.contains_key(name) {
            return;
        }
        if let Some(kept) = exercises.remove(former) {
            exercises.insert(name, kept);
        }
    }

    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Checked {
                name,
                passed,
                verdict,
                at,
            } => {
                let before = self.of(name);
                let record = self.record_mut(name);
                // An older version counted and kept no time: then the first of these checks is not the first.
                if before.attempts == 0 {
                    record["first_attempt"] = number(*at);
                }
                match verdict {
                    Some(verdict) => record["last"] = value(verdict.word()),
                    None => record["last"] = Item::None,
                }
                record["attempts"] = number(before.attempts.saturating_add(1));
                record["done"] = value(*passed);
                if *passed && before.first_pass.is_none() {
                    record["first_pass"] = number(*at);
                }
            }
            Change::HintTaken { name, level } => {
                let highest = self.of(name).hints.max(*level);
                self.record_mut(name)["hints"] = number(u64::from(highest));
            }
            Change::MovedTo { name } => self.document[CURRENT] = value(name),
            Change::Reset { name } => self.record_mut(name)["done"] = value(false),
            Change::Opened { word } => {
                let mut words = self.opened();
                if !words.contains(word) {
                    words.push(word.clone());
                }
                self.document[OPENED] = value(words.into_iter().collect::<Array>());
            }
        }
    }

    pub fn of(&self, name: &str) -> Record {
        let record = self
            .document
            .get(EXERCISES)
            .and_then(|exercises| exercises.get(name));
        let field = |key| record.and_then(|record| record.get(key));
        let number = |key| {
            field(key)
                .and_then(Item::as_integer)
                .and_then(|n| u64::try_from(n).ok())
        };
        Record {
            done: field("done").and_then(Item::as_bool).unwrap_or(false),
            attempts: number("attempts").unwrap_or(0),
            first_attempt: number("first_attempt"),
            first_pass: number("first_pass"),
            hints: number("hints").unwrap_or(0).min(3) as u8,
            last: field("last")
                .and_then(Item::as_str)
                .and_then(VerdictKind::from_word),
        }
    }

    pub fn is_done(&self, name: &str) -> bool {
        self.of(name).done
    }

    /// How many of the manifest's exercises are done.
    pub fn done(&self, manifest: &Manifest) -> usize {
        manifest
            .exercises
            .iter()
            .filter(|exercise| self.is_done(&exercise.name))
            .count()
    }

    fn opened(&self) -> Vec<String> {
        let words = self.document.get(OPENED).and_then(Item::as_array);
        let words = words.into_iter().flatten().filter_map(Value::as_str);
        words.map(str::to_owned).collect()
    }

    /// The gate that holds an exercise back. It says when or how it opens.
    pub fn closed<'a>(&self, manifest: &'a Manifest, name: &str) -> Option<&'a Gate> {
        let mut gates = manifest.gates.iter();
        let words = self.opened();
        gates.find(|gate| {
            gate.exercises.iter().any(|held| held == name) && !gate.is_open(&words, self.now)
        })
    }

    /// The exercises that wait for this word.
    pub fn opened_by<'a>(&self, manifest: &'a Manifest, word: &str) -> Vec<&'a str> {
        let gates = manifest.gates.iter();
        let opened = gates.filter(|gate| gate.word.as_ref().is_some_and(|seal| seal.fits(word)));
        opened
            .flat_map(|gate| &gate.exercises)
            .map(String::as_str)
            .collect()
    }

    /// Where the learner is: the exercise last moved to, else the first that is not done, else the first of all. None that
    /// is closed. `None` only in a workbook without exercises, or where all of them are closed.
    pub fn current<'a>(&self, manifest: &'a Manifest) -> Option<&'a Exercise> {
        let kept = self.document.get(CURRENT).and_then(Item::as_str);
        let is_open = |exercise: &&Exercise| self.closed(manifest, &exercise.name).is_none();
        let mut open = manifest.exercises.iter().filter(is_open);
        kept.and_then(|name| manifest.find(name).ok())
            .filter(is_open)
            .or_else(|| self.first_undone(manifest, manifest.exercises.iter()))
            .or_else(|| open.next())
    }

    /// The first that is not done after this one, in the manifest's order, wrapping. `None`: all others are
    /// done or closed.
    pub fn next<'a>(&self, manifest: &'a Manifest, after: &str) -> Option<&'a Exercise> {
        let exercises = &manifest.exercises;
        let start = exercises
            .iter()
            .position(|exercise| exercise.name == after)
            .map_or(0, |at| at + 1);
        let others = exercises[start..].iter().chain(&exercises[..start]);
        self.first_undone(manifest, others.filter(|exercise| exercise.name != after))
    }

    fn first_undone<'a>(
        &self,
        manifest: &Manifest,
        mut exercises: impl Iterator<Item = &'a Exercise>,
    ) -> Option<&'a Exercise> {
        exercises.find(|exercise| {
            !self.is_done(&exercise.name) && self.closed(manifest, &exercise.name).is_none()
        })
    }

    /// The table of one exercise. What stands in its place and is no table is no record of ours, and gives way.
    fn record_mut(&mut self, name: &str) -> &mut Item {
        let exercises = table_at(&mut self.document[EXERCISES]);
        if let Some(exercises) = exercises.as_table_mut() {
            exercises.set_implicit(true);
        }
        table_at(&mut exercises[name])
    }
}

fn table_at(item: &mut Item) -> &mut Item {
    if !item.is_table_like() {
        *item = Item::Table(Table::new());
    }
    item
}

fn number(number: u64) -> Item {
    value(i64::try_from(number).unwrap_or(i64::MAX))
}

impl fmt::Display for Progress {
    /// The text of progress.toml.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}
