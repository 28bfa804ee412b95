//! What watch mode knows.

use std::time::Duration;

use super::event::Checked;
use super::going::Going;
use crate::core::editing::Editor;
use crate::core::list::List;
use crate::core::manifest::{Exercise, Manifest};
use crate::core::progress::Progress;
use crate::core::view::Pair;

/// Views read the fields, only the step (`Session::on`) changes them.
#[derive(Debug)]
pub struct Session {
    pub(in crate::core) manifest: Manifest,
    pub(in crate::core) progress: Progress,
    /// Of each exercise, as the learner knows it: `exercises/04_locks/self_deadlock.rs`.
    pub(in crate::core) files: Vec<String>,
    /// Index of the exercise shown.
    pub(in crate::core) current: usize,
    pub(in crate::core) lab: Lab,
    pub(in crate::core) job: Option<Job>,
    /// Of the last job that was begun.
    pub(in crate::core) generation: u64,
    /// Since the job began.
    pub(in crate::core) elapsed: Duration,
    /// Of the current exercise; kept, as old, while a newer text is checked.
    pub(in crate::core) found: Option<Found>,
    /// The current exercise has no file.
    pub(in crate::core) gone: bool,
    pub(in crate::core) screen: Screen,
    /// The table that the list shows.
    pub(in crate::core) list: List,
    /// How many hints are shown.
    pub(in crate::core) hints: u8,
    /// In which generation `found` came.
    pub(in crate::core) found_in: u64,
    /// A reset waits for y or n.
    pub(in crate::core) asked: bool,
    /// The name of an exercise to go to is being typed.
    pub(in crate::core) going: Option<Going>,
    pub(super) editor: Option<Editor>,
    /// The editor has the terminal.
    pub(super) editing: bool,
    pub(in crate::core) notice: Option<String>,
    /// How many notices there were.
    pub(in crate::core) notices: u64,
    /// The notice answers a key, and is old once a verdict comes.
    pub(super) replied: bool,
    /// The notice tells of a file that we wrote ourselves: the save that is heard of next is that one, and does not take
    /// the notice away before anybody has read it.
    pub(super) wrote: bool,
    /// The last key was n, and was not followed.
    pub(super) insists: bool,
    /// Another exercise that was saved.
    pub(super) elsewhere: Option<usize>,
    /// Why files are polled, if they are.
    pub(in crate::core) polling: Option<String>,
    /// Nothing was ever tried in this workbook.
    pub(in crate::core) welcome: bool,
    /// Every exercise is done, and the learner asked for the next.
    pub(in crate::core) finished: bool,
    pub(in crate::core) main: MainRun,
    /// The book's page of the exercise shown, once it was asked for: Markdown, or why there is none.
    pub(in crate::core) page: Option<Result<String, String>>,
    /// The learner's fix and ours, once they were asked for, or why they cannot be shown.
    pub(in crate::core) compared: Option<Result<Vec<Pair>, String>>,
    /// Of the last `c`: exercise and outcome in words.
    pub(in crate::core) all: Vec<(usize, Result<&'static str, String>)>,
    /// Rows that are scrolled away.
    pub(in crate::core) scroll: usize,
    /// Columns and rows.
    pub(in crate::core) size: (usize, usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lab {
    Preparing(String),
    Ready,
    Failed(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub generation: u64,
    pub kind: JobKind,
    pub stage: Stage,
}

/// How far a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Compiling,
    Running,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Check,
    All,
    Main,
}

/// What checking the current exercise gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Verdict(Box<Checked>),
    /// No verdict, and not the learner's fault.
    Trouble(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Exercise,
    List,
    All,
    Main,
    /// The book's page.
    Page,
    /// The learner's fix beside ours.
    Solution,
}

/// The output of the exercise's `main`: its end, as far as it is kept.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MainRun {
    pub lines: Vec<String>,
    /// Lines that are no longer kept.
    pub dropped: usize,
    pub end: Option<String>,
}

impl Session {
    /// `files`: of each exercise, as the learner knows it.
    pub fn new(manifest: Manifest, progress: Progress, files: Vec<String>) -> Self {
        let current = progress
            .current(&manifest)
            .map(|exercise| exercise.name.clone());
        let current = manifest
            .exercises
            .iter()
            .position(|exercise| Some(&exercise.name) == current.as_ref());
        let welcome = manifest
            .exercises
            .iter()
            .all(|exercise| progress.of(&exercise.name).attempts == 0);
        Self {
            current: current.unwrap_or(0),
            welcome,
            manifest,
            progress,
            files,
            lab: Lab::Preparing("looking for the lab".to_owned()),
            job: None,
            generation: 0,
            elapsed: Duration::ZERO,
            found: None,
            gone: false,
            screen: Screen::Exercise,
            list: List::default(),
            hints: 0,
            found_in: 0,
            asked: false,
            going: None,
            editor: None,
            editing: false,
            notice: None,
            notices: 0,
            replied: false,
            wrote: false,
            insists: false,
            elsewhere: None,
            polling: None,
            finished: false,
            main: MainRun::default(),
            page: None,
            compared: None,
            all: Vec::new(),
            scroll: 0,
            size: (80, 24),
        }
    }

    pub fn with_editor(self, editor: Option<Editor>) -> Self {
        Self { editor, ..self }
    }

    pub fn editor(&self) -> Option<&Editor> {
        self.editor.as_ref()
    }

    /// The exercise shown. `None` only in a workbook without exercises.
    pub fn exercise(&self) -> Option<&Exercise> {
        self.manifest.exercises.get(self.current)
    }

    /// Columns and rows of the terminal.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    pub fn file(&self) -> &str {
        self.files.get(self.current).map_or("", String::as_str)
    }

    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// How many exercises are done, of how many.
    pub fn score(&self) -> (usize, usize) {
        (
            self.progress.done(&self.manifest),
            self.manifest.exercises.len(),
        )
    }

    /// Why this exercise is not to be worked on yet, in a sentence.
    pub(in crate::core) fn closed(&self, exercise: usize) -> Option<String> {
        self.facts().closed(exercise)
    }

    pub(super) fn name(&self) -> String {
        self.exercise()
            .map(|exercise| exercise.name.clone())
            .unwrap_or_default()
    }

    /// The current text has been checked, and it passed.
    pub(in crate::core) fn has_passed(&self) -> bool {
        let passed =
            matches!(&self.found, Some(Found::Verdict(checked)) if checked.judged.verdict.passed());
        passed && !self.is_checking() && !self.gone
    }

    /// It has passed; or it was checked with all others, or cannot be checked here.
    pub(super) fn may_go_on(&self) -> bool {
        match &self.found {
            Some(Found::Verdict(checked)) if checked.judged.verdict.skipped() => true,
            None => self.progress.is_done(&self.name()) && !self.gone,
            _ => self.has_passed(),
        }
    }

    pub(in crate::core) fn is_checking(&self) -> bool {
        self.job
            .as_ref()
            .is_some_and(|job| job.kind == JobKind::Check)
    }
}
