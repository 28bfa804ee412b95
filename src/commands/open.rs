//! `open`: a word of the instructor's, said. `dev gate`: such a word, sealed for info.toml.

use std::hash::{BuildHasher, RandomState};

use anyhow::Result;

use super::output;
use crate::cli::Shared;
use crate::core::pacing::Seal;
use crate::core::progress::Change;
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::Workbook;

pub(super) fn run(shared: &Shared, word: &str) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (mut store, warning) = Store::open(&workbook);
    output::warn(warning);
    let opened = store.progress().opened_by(workbook.manifest(), word);
    if opened.is_empty() {
        let text =
            "nothing in this workbook opens with that word; the spelling counts, capitals do not";
        return Err(Fault::Usage(text.to_string()).into());
    }
    output::print([format!("open now: {}", opened.join(", "))])?;
    output::warn(store.record(&[Change::Opened {
        word: word.to_owned(),
    }]));
    Ok(Outcome::Passed)
}

pub(super) fn seal(word: &str) -> Result<Outcome> {
    if word.trim().is_empty() {
        return Err(Fault::Usage("the word is empty; say one or more".to_string()).into());
    }
    // Random for each process: two workbooks with the same word do not show it.
    let salt = RandomState::new().hash_one(std::process::id());
    output::print([
        "[[gates]]".to_owned(),
        "chapters = [\"04_locks\"] # or exercises = [\"self_deadlock\"]".to_owned(),
        format!("word = \"{}\"", Seal::new(word, salt)),
    ])?;
    Ok(Outcome::Passed)
}
