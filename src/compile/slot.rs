//! The folder in which one subject is compiled: the same each time, as rustc's incremental data depend on it, and
//! never two at once.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::{Job, Kind, Reuse};

/// Subjects that keep incremental data. A learner is on one exercise at a time.
const KEPT: usize = 6;
const LOCK: &str = "lock";
const INCREMENTAL: &str = "incremental";

pub(super) const ROOT: &str = "root.rs";
pub(super) const SUBJECT: &str = "exercise.rs";
pub(super) const CHECKS: &str = "checks.rs";
/// The root of the subject as a crate of its own, and what becomes of it.
pub(super) const SUBJECT_ROOT: &str = "subject.rs";
pub(super) const SUBJECT_LIBRARY: &str = "libsubject.rlib";
pub(super) const BINARY: &str = if cfg!(windows) { "check.exe" } else { "check" };

#[derive(Debug)]
pub(super) struct Slot {
    folder: PathBuf,
    kind: Kind,
    reuse: Reuse,
    /// Held to the end of the run: another runner must not put its binary in place of ours.
    _lock: File,
}

impl Slot {
    /// The first of the subject's folders that no other runner is using.
    pub(super) fn take(job: &Job<'_>) -> Result<Self> {
        let kind = if job.kind == Kind::Main { "-main" } else { "" };
        let home = job.scratch.join(file_name(job.name) + kind);
        let mut number = 0;
        loop {
            let folder = home.join(number.to_string());
            let slot = lock(&folder).with_context(|| {
                format!(
                    "cannot use {} to compile in; is the disk full, or the folder read-only?",
                    folder.display()
                )
            })?;
            if let Some(lock) = slot {
                let folder = fs::canonicalize(&folder)
                    .with_context(|| format!("cannot find {}", folder.display()))?;
                let slot = Self {
                    folder,
                    kind: job.kind,
                    reuse: job.reuse,
                    _lock: lock,
                };
                slot.sweep();
                if job.reuse == Reuse::Incremental && !slot.incremental().exists() {
                    evict(job.scratch);
                }
                return Ok(slot);
            }
            number += 1;
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn binary(&self) -> PathBuf {
        self.folder.join(BINARY)
    }

    pub(super) fn incremental(&self) -> PathBuf {
        self.folder.join(INCREMENTAL)
    }

    pub(super) fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// Relative paths only: whatever letters the workbook's path has, rustc does not meet them.
    pub(super) fn write(&self, subject: &str, checks: Option<&str>) -> Result<()> {
        let mut files = vec![(SUBJECT, subject.to_string())];
        match self.kind {
            // The lab has to be linked for its limits to hold. At the end, so that lines keep their numbers.
            Kind::Main => files[0].1.push_str("\nextern crate lab as _;\n"),
            Kind::Checks => files.push((
                ROOT,
                format!("extern crate lab as _;\n#[path = \"{SUBJECT}\"]\nmod exercise;\n#[path = \"{CHECKS}\"]\nmod checks;\n"),
            )),
        }
        files.extend(checks.map(|checks| (CHECKS, checks.to_string())));
        for (name, text) in files {
            self.write_beside(name, &text)?;
        }
        Ok(())
    }

    /// For `Part::SubjectAlone`. What an earlier subject left here is not to be found by this one.
    pub(super) fn write_subject_alone(&self, subject: &str) -> Result<()> {
        for name in [CHECKS, ROOT, SUBJECT_LIBRARY] {
            let _ = fs::remove_file(self.folder.join(name));
        }
        // At home subject and checks are one crate: what a learner may hide from others there must not fail here. As long
        // as before, so that columns keep their numbers.
        let subject = subject.replace("pub(crate)", "pub       ");
        self.write_beside(SUBJECT, &subject)?;
        let root = format!("#[path = \"{SUBJECT}\"]\npub mod exercise;\n");
        self.write_beside(SUBJECT_ROOT, &root)
    }

    /// For `Part::Checks`.
    pub(super) fn write_checks(&self, checks: &str) -> Result<()> {
        let root = format!(
            "extern crate lab as _;\nuse subject::exercise;\n#[path = \"{CHECKS}\"]\nmod checks;\n"
        );
        self.write_beside(ROOT, &root)?;
        self.write_beside(CHECKS, checks)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "files for compilers, in a folder that nobody else uses"
    )]
    pub(super) fn write_beside(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, text)
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))
    }

    /// What a runner that was killed left here.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with("run-") {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.binary());
    }
}

/// `None`: another runner is at it.
fn lock(folder: &Path) -> std::io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(LOCK))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // A file system without locks: then nobody is kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Incremental data of all but the latest subjects.
fn evict(scratch: &Path) {
    let Ok(homes) = fs::read_dir(scratch) else {
        return;
    };
    let slots = homes
        .flatten()
        .filter_map(|home| fs::read_dir(home.path()).ok())
        .flat_map(|slots| slots.flatten());
    let mut kept: Vec<(SystemTime, PathBuf)> = slots
        .map(|slot| slot.path())
        .filter_map(|slot| {
            Some((
                fs::metadata(slot.join(INCREMENTAL)).ok()?.modified().ok()?,
                slot,
            ))
        })
        .collect();
    kept.sort_by(|a, b| b.cmp(a));
    for (_, slot) in kept.into_iter().skip(KEPT - 1) {
        if let Ok(Some(_lock)) = lock(&slot) {
            let _ = fs::remove_dir_all(slot.join(INCREMENTAL));
        }
    }
}

fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(scratch: &Path, name: &'static str) -> Slot {
        let subject = Path::new("x.rs");
        let reuse = Reuse::Incremental;
        Slot::take(&Job {
            kind: Kind::Checks,
            subject,
            subject_display: "x.rs",
            checks: None,
            scratch,
            name,
            reuse,
            sandbox: None,
        })
        .unwrap()
    }

    #[test]
    fn two_runners_get_two_folders_and_the_next_one_the_first_again() {
        let scratch = tempfile::tempdir().unwrap();
        let first = job(scratch.path(), "a");
        let folder = first.folder().to_path_buf();
        let second = job(scratch.path(), "a");
        assert_ne!(folder, second.folder());
        drop(first);
        assert_eq!(folder, job(scratch.path(), "a").folder());
    }

    #[test]
    fn incremental_data_are_kept_for_a_few_subjects() {
        let scratch = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i"] {
            fs::create_dir(job(scratch.path(), name).incremental()).unwrap();
        }
        let homes = fs::read_dir(scratch.path()).unwrap().flatten();
        let kept = homes
            .filter(|home| home.path().join("0").join(INCREMENTAL).exists())
            .count();
        assert_eq!(kept, KEPT);
    }

    #[test]
    fn the_remains_of_a_killed_runner_are_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let remains = job(scratch.path(), "a").folder().join("run-x");
        fs::create_dir(&remains).unwrap();
        job(scratch.path(), "a");
        assert!(!remains.exists());
    }
}
