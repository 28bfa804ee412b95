//! `book`: the book in a browser, built on this machine. `dev book`: the same into a folder, with everything that is
//! wrong with it.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::output;
use crate::book;
use crate::cli::Shared;
use crate::core::book::site_complaints;
use crate::exit::{Fault, Outcome};
use crate::workbook::{Workbook, cache_root};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    Browser,
    Path,
}

pub(super) fn run(shared: &Shared, show: Show) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let say = |what: &str| eprintln!("{what}");
    let index = book::in_cache(&book::load(&workbook)?, &cache_root()?, say)?;
    if show == Show::Browser && open::that_detached(&index).is_err() {
        output::warn(Some(
            "no browser could be started; open the file yourself".to_owned(),
        ));
    }
    output::print([index.display().to_string()])?;
    Ok(Outcome::Passed)
}

/// # Errors
/// What was found, all of it.
pub(super) fn build(shared: &Shared, out: Option<PathBuf>) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    if !book::is_own(&workbook) {
        bail!(Fault::Workbook(
            "this workbook has no book: book/book.toml is missing".to_owned()
        ));
    }
    let book = book::load(&workbook)?;
    let complaints = book.complaints(workbook.manifest());
    refuse(complaints.iter().map(ToString::to_string).collect())?;
    let out = out.unwrap_or_else(|| workbook.root().join("book/html"));
    refuse(book::build(&book, &out)?)?;
    let complaints = site_complaints(&book::site(&out)?);
    refuse(complaints.iter().map(ToString::to_string).collect())?;
    output::print([out.join("index.html").display().to_string()])?;
    Ok(Outcome::Passed)
}

fn refuse(complaints: Vec<String>) -> Result<()> {
    if complaints.is_empty() {
        return Ok(());
    }
    bail!(Fault::Workbook(format!(
        "{} to mend in the book\n{}",
        complaints.len(),
        complaints.join("\n")
    )))
}
