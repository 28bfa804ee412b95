//! `dev figures`: runs incidents, and writes their tables for the book.

use std::fs;

use anyhow::{Context, Result};

use super::incident::{Played, play};
use super::{lab, output};
use crate::cli::Shared;
use crate::core::book::figures_path;
use crate::core::manifest::Exercise;
use crate::core::view::incident_markdown;
use crate::exit::{Fault, Outcome};
use crate::store;
use crate::workbook::Workbook;

/// # Errors
/// An unknown name, an exercise without a scenario, a machine with a fault.
pub(super) async fn run(shared: &Shared, names: &[String]) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let exercises: Vec<&Exercise> = match names {
        [] => {
            let all = workbook.manifest().exercises.iter();
            all.filter(|exercise| workbook.has_incident(exercise))
                .collect()
        }
        names => names
            .iter()
            .map(|name| workbook.exercise(name))
            .collect::<Result<_>>()?,
    };
    let lab = lab::ready(shared, &workbook).await?;
    for exercise in exercises {
        let Played { story, turns } = play(&workbook, &lab, exercise).await?;
        let file = figures_path(exercise);
        let path = workbook.root().join(&file);
        let text = incident_markdown(exercise, &story, &turns);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| store::replace(&path, text.as_bytes()))
            .with_context(|| Fault::Machine(format!("cannot write {file}")))?;
        output::print([file])?;
    }
    Ok(Outcome::Passed)
}
