//! `explain`: the book's page of an exercise, in the terminal.

use anyhow::Result;

use super::hint::named_or_current;
use super::output;
use crate::book;
use crate::cli::Shared;
use crate::core::book::Medium;
use crate::core::manifest::Exercise;
use crate::core::progress::Progress;
use crate::core::view::{Reveal, explanation};
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::Workbook;
use crate::{pager, terminal};

pub(super) fn run(shared: &Shared, name: Option<&str>, all: bool) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = named_or_current(&workbook, store.progress(), name)?;
    let page = page(&workbook, exercise)?;
    let reveal = if all {
        Reveal::All
    } else {
        reveal(store.progress(), exercise)
    };
    let lines = explanation(&exercise.name, &page, reveal, &output::look(&workbook));
    pager::show(&lines, terminal::is_usable())?;
    Ok(Outcome::Passed)
}

/// The fix, once they have found one.
fn reveal(progress: &Progress, exercise: &Exercise) -> Reveal {
    match progress.of(&exercise.name).first_pass {
        Some(_) => Reveal::All,
        None => Reveal::UpToTheFix,
    }
}

/// Its Markdown with code and drawings in place.
pub(super) fn page(workbook: &Workbook, exercise: &Exercise) -> Result<String> {
    // A pack's exercise may have the name of one of ours.
    let page = match workbook.is_pack() && !book::is_own(workbook) {
        true => None,
        false => book::load(workbook)?.page_of(exercise, Medium::Words),
    };
    let missing = || {
        Fault::Workbook(format!(
            "the book has no page for exercise `{}`; `asynclings hint {0}` helps without it",
            exercise.name
        ))
    };
    Ok(page.ok_or_else(missing)?.text)
}
