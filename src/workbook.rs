//! Where everything of a workbook is. Every path has its author here; reads, and never writes into `exercises/`.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::core::manifest::{Exercise, Manifest, Subject};

#[derive(Debug, Clone)]
pub struct Workbook {
    root: PathBuf,
    manifest: Manifest,
}

/// A file, and its name in records, diagnostics and reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectFile {
    pub path: PathBuf,
    /// `exercises/04_locks/self_deadlock.rs`, with `/` on every system.
    pub display: String,
}

impl Workbook {
    /// The workbook in this folder, or the nearest one upwards from the current folder.
    pub fn find(dir: Option<&Path>) -> Result<Self> {
        let _ = dir;
        todo!()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The learner's file, whether or not it is there.
    pub fn exercise_file(&self, exercise: &Exercise) -> SubjectFile {
        let _ = exercise;
        todo!()
    }

    pub fn subject(&self, exercise: &Exercise, subject: &Subject) -> Result<SubjectFile> {
        let _ = (exercise, subject);
        todo!()
    }

    pub fn checks(&self, exercise: &Exercise) -> Result<SubjectFile> {
        let _ = exercise;
        todo!()
    }

    /// Right ones first, by name.
    pub fn variants(&self, exercise: &Exercise) -> Result<Vec<Subject>> {
        let _ = exercise;
        todo!()
    }

    /// The exercise's text as shipped; `None` where it did not come with this program.
    pub fn shipped(&self, exercise: &Exercise) -> Option<&'static str> {
        let _ = exercise;
        todo!()
    }

    /// `.asynclings/`: progress and what was kept aside.
    pub fn state_dir(&self) -> PathBuf {
        self.root.join(".asynclings")
    }

    /// Where check binaries are built: in the cache, as a workbook may be read-only.
    pub fn scratch_dir(&self) -> PathBuf {
        todo!()
    }
}

/// `$ASYNCLINGS_CACHE`, or `asynclings` in the user's cache folder.
pub fn cache_root() -> Result<PathBuf> {
    todo!()
}
