//! `report`: a learner's own progress, to be handed in.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};

use super::output;
use crate::cli::{Format, Shared};
use crate::core::report::summary;
use crate::exit::{Fault, Outcome};
use crate::store::{Store, replace};
use crate::workbook::Workbook;

pub(super) fn run(shared: &Shared, out: Option<&Path>) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let summary = summary(workbook.manifest(), store.progress());
    let text = match shared.format {
        Format::Json => summary.json() + "\n",
        Format::Human | Format::Junit => summary.markdown(),
    };
    match out {
        Some(file) => replace(file, text.as_bytes()).with_context(|| {
            let file = file.display();
            Fault::Machine(format!(
                "cannot write {file}; name a file in a folder that is there"
            ))
        })?,
        None => stdout().write_all(text.as_bytes())?,
    }
    Ok(Outcome::Passed)
}
