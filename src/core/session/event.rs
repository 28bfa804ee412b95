//! What can happen to watch mode, and what it can want done.

use std::time::Duration;

use crate::core::progress::Change;
use crate::core::record::Place;
use crate::core::verdict::Judged;
use crate::core::view::Pair;

/// A key, whatever the terminal library calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Escape,
    Enter,
    Tab,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    CtrlC,
    CtrlZ,
}

/// What the mouse does, where it is listened to. Counted from 0, from the upper left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    Click { column: usize, row: usize },
    WheelUp,
    WheelDown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C, which is for whoever has the terminal.
    Interrupt,
    /// SIGTERM, SIGHUP.
    Stop,
    /// SIGTSTP.
    Suspend,
    /// SIGCONT: somebody else may have used the terminal meanwhile.
    Resume,
}

/// A verdict, and the text it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub judged: Judged,
    /// The file as it was when the check began: its lines are quoted, not those of a later save.
    pub source: String,
}

/// Where an event or action speaks of an exercise it gives the index in the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Key(Key),
    /// Where keys are typed as lines: one of them, without its end.
    Line(String),
    /// No line will come any more.
    NoMoreLines,
    Mouse(Mouse),
    FileChanged(usize),
    FileGone(usize),
    /// What is being done to prepare the lab: a sentence.
    Preparing(String),
    /// The lab is ready, or why it is not.
    Prepared(Result<(), String>),
    /// rustc is done, and the checks begin to run.
    Compiled {
        generation: u64,
    },
    /// `now`: Unix seconds. An error is ours or the machine's, never the learner's.
    CheckDone {
        generation: u64,
        now: u64,
        result: Result<Box<Checked>, String>,
    },
    /// One exercise of `c`.
    OneOfAll {
        generation: u64,
        now: u64,
        exercise: usize,
        result: Result<&'static str, String>,
    },
    AllDone {
        generation: u64,
    },
    MainOutput {
        generation: u64,
        text: String,
    },
    /// How the exercise's `main` ended: a sentence.
    MainDone {
        generation: u64,
        end: String,
    },
    /// A sentence, either way.
    ResetDone {
        exercise: usize,
        result: Result<String, String>,
    },
    /// The editor that had the terminal has ended; or why there was none.
    Edited(Result<(), String>),
    /// A sentence, either way.
    ResetUndone(Result<String, String>),
    /// The page of an exercise as Markdown, or why there is none.
    Explained {
        exercise: usize,
        result: Result<String, String>,
    },
    /// The texts of an exercise's fix and of ours, or why they cannot be shown.
    Compared {
        exercise: usize,
        result: Result<Vec<Pair>, String>,
    },
    /// Files are looked at from time to time, and why.
    Polling(String),
    /// Something to know that stops nothing: progress that could not be saved.
    Warning(String),
    /// Time since the job began that is running.
    Tick(Duration),
    Resize {
        width: usize,
        height: usize,
    },
    Signal(Signal),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Prepare,
    /// At most one job runs: starting one ends the one before.
    StartCheck {
        generation: u64,
        exercise: usize,
    },
    StartAll {
        generation: u64,
        exercises: Vec<usize>,
    },
    StartMain {
        generation: u64,
        exercise: usize,
    },
    /// Ends the job that is running.
    Cancel,
    SaveProgress(Vec<Change>),
    Reset(usize),
    /// Bring back the text that its last reset replaced.
    UndoReset(usize),
    /// Bring the book's page.
    Explain(usize),
    /// Open the learner's editor, where the verdict points.
    Edit {
        exercise: usize,
        at: Option<Place>,
    },
    /// Bring the learner's fix and ours.
    Compare(usize),
    Draw,
    Suspend,
    /// Take the terminal back.
    Resume,
    Quit(Farewell),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Farewell {
    Asked,
    Interrupted,
}
