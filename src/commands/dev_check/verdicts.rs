//! The verdicts that the book quotes: what `run` prints for each exercise as shipped, compared or written anew.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Complaint;
use crate::book;
use crate::commands::checking::Checked;
use crate::core::book::verdict_path;
use crate::core::manifest::Exercise;
use crate::core::snapshot;
use crate::core::view::{Colour, Look, verdict_text};
use crate::exit::Fault;
use crate::store;
use crate::workbook::Workbook;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdicts {
    Compare,
    Renew,
}

/// Of the values in a quoted verdict.
pub(super) const SEED: u64 = 2024;
/// As a page can show it.
const WIDTH: usize = 80;

/// Only where the workbook has a book of its own.
pub(super) fn proven(
    verdicts: Verdicts,
    workbook: &Workbook,
    exercise: &Exercise,
    checked: &Checked,
) -> Result<Option<Complaint>> {
    if !book::is_own(workbook) {
        return Ok(None);
    }
    let file = verdict_path(exercise);
    let path = workbook.root().join(&file);
    let look = Look {
        width: WIDTH,
        colour: Colour::None,
        links: None,
        program: "asynclings",
    };
    let run = verdict_text(exercise, &checked.judged, &checked.source, &look);
    let book = fs::read_to_string(&path).unwrap_or_default();
    let Some(difference) = snapshot::difference(&book, &run) else {
        return Ok(None);
    };
    if verdicts == Verdicts::Renew {
        return write(&path, &run)
            .with_context(|| Fault::Machine(format!("cannot write {file}")))
            .map(|()| None);
    }
    Ok(Some(format!(
        "{file}: the run gives `{}` and the book has `{}`; `asynclings dev check {} --renew` writes it anew",
        difference.run, difference.book, exercise.name
    )))
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    store::replace(path, text.as_bytes())
}
