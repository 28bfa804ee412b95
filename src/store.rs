//! The progress file: read tolerantly, written atomically. A file that cannot be written costs a warning, never a run.

use crate::core::progress::{Change, Progress};
use crate::workbook::Workbook;

/// The progress of one workbook, on disk and in memory.
#[derive(Debug)]
pub struct Store {
    progress: Progress,
}

/// Something the learner should know: a sentence.
pub type Warning = String;

impl Store {
    /// Never fails: what cannot be read is set aside or left alone, and said.
    pub fn open(workbook: &Workbook) -> (Self, Option<Warning>) {
        let _ = workbook;
        (Self { progress: Progress::default() }, None)
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Applies the changes to what is on disk now, so that two runners do not lose each other's.
    pub fn record(&mut self, changes: &[Change]) -> Option<Warning> {
        let _ = changes;
        None
    }
}
