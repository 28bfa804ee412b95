//! A subject -> its verdict: the one that was given before, or a new one.

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::plan::Subject;
use crate::commands::checking::{Checker, Files, Round};
use crate::compile::Reuse;
use crate::core::manifest::{self, Exercise};
use crate::core::report::{self, Line};
use crate::exit::Fault;
use crate::verdicts::Verdicts;
use crate::workbook::SubjectFile;

pub(super) struct Judge<'a> {
    checker: Checker<'a>,
    verdicts: Verdicts,
    /// What could not be kept, once.
    warning: RefCell<Option<String>>,
    /// Subjects that were judged now, and those that had been before.
    pub(super) judged: Cell<usize>,
    pub(super) known: Cell<usize>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(checker: Checker<'a>, verdicts: Verdicts) -> Self {
        Self {
            checker,
            verdicts,
            warning: RefCell::default(),
            judged: Cell::default(),
            known: Cell::default(),
        }
    }

    pub(super) fn warning(&self) -> Option<String> {
        self.warning.take()
    }

    pub(super) async fn verdict(&self, subject: Subject) -> Result<Line> {
        if let Some(line) = self.verdicts.get(&subject.key) {
            self.known.update(|known| known + 1);
            return Ok(line);
        }
        let exercise = &self.checker.workbook.manifest().exercises[subject.exercise];
        let line = self.judge(exercise, &subject).await?;
        self.judged.update(|judged| judged + 1);
        // A verdict that this machine could not give is no verdict on the text.
        if line.verdict != manifest::VerdictKind::Skipped
            && let Err(error) = self.verdicts.put(&subject.key, &line)
        {
            self.warning.replace(Some(format!(
                "verdicts cannot be kept in the cache ({error}); a run that is stopped begins anew"
            )));
        }
        Ok(line)
    }

    async fn judge(&self, exercise: &'a Exercise, subject: &Subject) -> Result<Line> {
        let folder = tempfile::Builder::new()
            .prefix("asynclings-graded-")
            .tempdir()
            .context(Fault::Machine("no temporary folder".to_string()))?;
        let mut files = Vec::new();
        for (name, bytes) in &subject.files {
            files.push(put(folder.path(), name, bytes)?);
        }
        let mut files = files.into_iter();
        let files = Files {
            subject: files.next().context("an exercise has a file")?,
            companion: files.next(),
        };
        let of = manifest::Subject::Exercise;
        let slot = format!("graded-{}", exercise.name);
        let compiled = self
            .checker
            .compile_files(exercise, files, slot, Reuse::Once)
            .await?;
        // The same text meets the same random values, on whichever machine.
        let round = Round {
            seed: subject.key.number(),
            until: None,
        };
        let checked = compiled.run_as(round).await?;
        Ok(report::line(&checked.reported(exercise, &of)))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a copy for the compiler, in a folder of its own"
)]
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<SubjectFile> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))
        .and_then(|()| fs::write(&path, bytes))
        .with_context(|| {
            Fault::Machine(format!(
                "cannot write {}; is the disk full?",
                path.display()
            ))
        })?;
    Ok(SubjectFile {
        path,
        display: name.to_string(),
    })
}
