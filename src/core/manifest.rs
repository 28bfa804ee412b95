//! What info.toml says: chapters, exercises, and what each is expected to do as shipped. Touches no disk.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::pacing::Gate;
use super::record::HangKind;

mod expectation;
pub(in crate::core) mod fields;
pub(in crate::core) mod moment;
mod read;
#[cfg(test)]
mod tests;

pub use read::parse;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Of titles and hints, as in the `lang` of a page: `en`, `ko`, `pt-BR`.
    pub language: String,
    pub chapters: Vec<Chapter>,
    /// In file order, which is the order of the path through the workbook.
    pub exercises: Vec<Exercise>,
    pub tracks: Vec<Track>,
    /// What an instructor holds back.
    pub gates: Vec<Gate>,
}

/// A shorter way through the workbook: for a workshop, a day, a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// `workshop-90min`
    pub id: String,
    pub title: String,
    /// Names, in the track's own order. Never empty, each one is known.
    pub exercises: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// The folder: `04_locks`.
    pub id: String,
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exercise {
    /// A stable id: progress hangs on it.
    pub name: String,
    /// The id of its chapter.
    pub chapter: String,
    pub title: String,
    /// How long it takes a learner.
    pub minutes: u32,
    /// 1 to 5.
    pub difficulty: u8,
    pub starts_as: Expectation,
    /// Look, think, do.
    pub hints: [String; 3],
    pub sources: Vec<String>,
    pub limits: Limits,
    /// Names under which older versions kept its progress.
    pub former_names: Vec<String>,
    pub kind: ExerciseKind,
}

/// What is judged, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExerciseKind {
    /// A program, by running its checks.
    #[default]
    Program,
    /// A `clippy.toml`, by what it makes clippy say of the checks and of a program beside it.
    Lint,
}

impl Exercise {
    /// The learner's files, without their folder: the one at fault first.
    pub fn files(&self) -> Vec<String> {
        let name = |ending: &&str| format!("{}.{ending}", self.name);
        self.kind.endings().iter().map(name).collect()
    }
}

impl ExerciseKind {
    /// Of a learner's files, that of the one at fault first.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            ExerciseKind::Program => &["rs"],
            ExerciseKind::Lint => &["toml", "rs"],
        }
    }
}

/// The limits of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The outer deadline. Generous: it is for what the lab does not see, and a busy machine must not reach it first.
    pub wall: Duration,
    /// Of live heap.
    pub memory: Bytes,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            memory: Bytes(256 << 20),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes < 1 << 10 => write!(f, "{bytes} B"),
            bytes if bytes < 1 << 20 => write!(f, "{} KiB", bytes >> 10),
            bytes if bytes < 10 << 30 => write!(f, "{} MiB", bytes >> 20),
            bytes => write!(f, "{} GiB", bytes >> 30),
        }
    }
}

/// A verdict and what shows it: the one an exercise starts as, or the one a wrong variant must get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    pub verdict: VerdictKind,
    pub hang: Option<HangKind>,
    pub check: Option<String>,
    /// Of rustc: `E0733`.
    pub code: Option<String>,
    /// A part of rustc's message.
    pub message: Option<String>,
}

/// A verdict's name, without its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    Passed,
    DoesNotCompile,
    CheckFailed,
    Hung,
    OverMemory,
    Panicked,
    EndedEarly,
    LeftRunning,
    Skipped,
}

impl VerdictKind {
    pub const ALL: [Self; 9] = [
        Self::Passed,
        Self::DoesNotCompile,
        Self::CheckFailed,
        Self::Hung,
        Self::OverMemory,
        Self::Panicked,
        Self::EndedEarly,
        Self::LeftRunning,
        Self::Skipped,
    ];

    /// The word of the design, as in JSON: `does_not_compile`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::DoesNotCompile => "does_not_compile",
            Self::CheckFailed => "check_failed",
            Self::Hung => "hung",
            Self::OverMemory => "over_memory",
            Self::Panicked => "panicked",
            Self::EndedEarly => "ended_early",
            Self::LeftRunning => "left_running",
            Self::Skipped => "skipped",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Which code is checked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    Exercise,
    Solution,
    /// `name` is the file's, without `.rs`.
    Variant {
        right: bool,
        name: String,
    },
}

impl fmt::Display for Subject {
    /// As in JSON: `exercise`, `solution`, `wrong/tokio_mutex`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exercise => f.write_str("exercise"),
            Self::Solution => f.write_str("solution"),
            Self::Variant { right: true, name } => write!(f, "right/{name}"),
            Self::Variant { right: false, name } => write!(f, "wrong/{name}"),
        }
    }
}

/// One thing that is wrong with info.toml.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("info.toml{}: {text}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Complaint {
    /// Counted from 1.
    pub line: Option<u32>,
    pub text: String,
}

/// A name that no exercise has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no exercise is called `{name}`{}", match .nearest {
    Some(nearest) => format!("; did you mean `{nearest}`?"),
    None => "; `asynclings list` shows them all".to_string(),
})]
pub struct UnknownName {
    pub name: String,
    pub nearest: Option<String>,
}

impl Manifest {
    /// By its name or a former one.
    pub fn find(&self, name: &str) -> Result<&Exercise, UnknownName> {
        self.exercises
            .iter()
            .find(|exercise| exercise.name == name)
            .or_else(|| {
                self.exercises
                    .iter()
                    .find(|exercise| exercise.former_names.iter().any(|n| n == name))
            })
            .ok_or_else(|| UnknownName {
                name: name.to_string(),
                nearest: nearest(
                    name,
                    self.exercises.iter().map(|exercise| exercise.name.as_str()),
                ),
            })
    }

    pub fn chapter(&self, id: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.id == id)
    }

    /// The workbook as one track shows it: its exercises alone, in its order.
    pub fn on_track(&self, id: &str) -> Result<Self, UnknownTrack> {
        let Some(track) = self.tracks.iter().find(|track| track.id == id) else {
            let known = || self.tracks.iter().map(|track| track.id.as_str());
            return Err(UnknownTrack {
                id: id.to_string(),
                nearest: nearest(id, known()),
                known: known().map(str::to_string).collect(),
            });
        };
        let exercises = track.exercises.iter().filter_map(|name| {
            self.exercises
                .iter()
                .find(|exercise| exercise.name == *name)
                .cloned()
        });
        let exercises: Vec<Exercise> = exercises.collect();
        let used = |chapter: &&Chapter| exercises.iter().any(|e| e.chapter == chapter.id);
        Ok(Self {
            language: self.language.clone(),
            chapters: self.chapters.iter().filter(used).cloned().collect(),
            tracks: self.tracks.clone(),
            gates: self.gates.clone(),
            exercises,
        })
    }

    /// The workbook up to a chapter, that one with it, in the order in which chapters are listed. `id` is a chapter's, or
    /// the number before its name: `04`, `4`.
    pub fn until(&self, id: &str) -> Result<Self, UnknownChapter> {
        let number = |id: &str| id.split('_').next().and_then(|n| n.parse::<u32>().ok());
        let is_meant = |chapter: &Chapter| {
            let by_number = id
                .parse::<u32>()
                .is_ok_and(|n| number(&chapter.id) == Some(n));
            chapter.id == id || by_number
        };
        let Some(last) = self.chapters.iter().position(is_meant) else {
            let known = || self.chapters.iter().map(|chapter| chapter.id.as_str());
            return Err(UnknownChapter {
                id: id.to_string(),
                nearest: nearest(id, known()),
                known: known().map(str::to_string).collect(),
            });
        };
        let chapters = self.chapters[..=last].to_vec();
        let kept = |exercise: &&Exercise| chapters.iter().any(|c| c.id == exercise.chapter);
        Ok(Self {
            language: self.language.clone(),
            exercises: self.exercises.iter().filter(kept).cloned().collect(),
            chapters,
            tracks: self.tracks.clone(),
            gates: self.gates.clone(),
        })
    }
}

/// An id that no chapter has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no chapter is called `{id}`{}", match .nearest {
    Some(nearest) => format!("; did you mean `{nearest}`?"),
    None => format!("; the chapters are {}", .known.join(", ")),
})]
pub struct UnknownChapter {
    pub id: String,
    pub nearest: Option<String>,
    pub known: Vec<String>,
}

/// An id that no track has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no track is called `{id}`{}", self.advice())]
pub struct UnknownTrack {
    pub id: String,
    pub nearest: Option<String>,
    pub known: Vec<String>,
}

impl UnknownTrack {
    fn advice(&self) -> String {
        match (&self.nearest, self.known.is_empty()) {
            (Some(nearest), _) => format!("; did you mean `{nearest}`?"),
            (None, true) => "; this workbook has no tracks".to_string(),
            (None, false) => format!("; the tracks are {}", self.known.join(", ")),
        }
    }
}

/// The name that was probably meant.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.collect();
    // 0.6 is the cutoff of Python's difflib, from which the function comes.
    let close = similar::get_close_matches(name, &known, 1, 0.6);
    close.first().map(|name| name.to_string())
}
