//! `list`: chapters, exercises and what is done; in a terminal a table to walk in.

mod browse;

use anyhow::Result;

use super::output;
use crate::cli::{Format, Shared};
use crate::core::report::list_json;
use crate::core::view::{list_text, tracks_text};
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::terminal;
use crate::workbook::Workbook;

pub(super) async fn run(shared: &Shared) -> Result<Outcome> {
    let workbook = Workbook::chosen(shared)?;
    let (store, warning) = Store::open(&workbook);
    let lines = shared.plain || terminal::is_dumb() || !terminal::is_usable();
    if shared.format == Format::Human && !lines {
        return browse::browse(workbook, store, warning).await;
    }
    output::warn(warning);
    let (manifest, progress) = (workbook.manifest(), store.progress());
    match shared.format {
        Format::Human => {
            let current = progress
                .current(manifest)
                .map(|exercise| exercise.name.as_str());
            output::print(list_text(
                manifest,
                progress,
                current,
                &output::look(&workbook),
            ))?;
            let (done, total) = (progress.done(manifest), manifest.exercises.len());
            output::print([
                String::new(),
                format!("{done} of {total} done"),
                String::new(),
            ])?;
            output::print(tracks_text(manifest, &output::look(&workbook)))?;
        }
        Format::Json => output::print([list_json(manifest, progress)])?,
        Format::Junit => {
            return Err(
                Fault::Usage("a list is no test; use --format human or json".to_string()).into(),
            );
        }
    }
    Ok(Outcome::Passed)
}
