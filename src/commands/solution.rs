//! `solution`, or `diff`: the learner's fix beside ours, once theirs has passed.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};

use super::hint::named_or_current;
use super::output;
use crate::cli::Shared;
use crate::core::book::without_anchors;
use crate::core::manifest::{Exercise, Subject};
use crate::core::view::{Pair, comparison, no_difference, too_early, unified};
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::{SubjectFile, Workbook};
use crate::{pager, terminal};

/// Wider, and the eye loses the line between the texts.
const WIDEST: usize = 200;

pub(super) fn run(shared: &Shared, name: Option<&str>) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = named_or_current(&workbook, store.progress(), name)?;
    let name = &exercise.name;
    if store.progress().of(name).first_pass.is_none() {
        output::print([too_early(name)])?;
        return Ok(Outcome::NotYet);
    }
    let mut look = output::look(&workbook);
    let pairs = pairs(&workbook, exercise)?;
    // A pipe gets what `diff -u` would say, however wide the terminal is that nobody looks at.
    let lines = if io::stdout().is_terminal() {
        look.width = terminal::dimensions().0.min(WIDEST);
        comparison(&pairs, &look)
    } else {
        pairs.iter().flat_map(|pair| unified(pair, &look)).collect()
    };
    if lines.is_empty() {
        output::print([no_difference(name)])?;
    } else {
        pager::show(&lines, terminal::is_usable())?;
    }
    Ok(Outcome::Passed)
}

/// The texts of each file of the exercise.
pub(super) fn pairs(workbook: &Workbook, exercise: &Exercise) -> Result<Vec<Pair>> {
    let ours = [
        workbook.subject(exercise, &Subject::Solution)?,
        workbook.companion(exercise, &Subject::Solution)?,
    ];
    let files = workbook.exercise_files(exercise).into_iter().zip(ours);
    files.map(|(yours, ours)| pair(yours, ours)).collect()
}

fn pair(yours: SubjectFile, ours: SubjectFile) -> Result<Pair> {
    let solution = std::fs::read_to_string(&ours.path)
        .with_context(|| Fault::Workbook(format!("{} cannot be read", ours.display)))?;
    Ok(Pair {
        yours: (yours.display.clone(), yours.read()?),
        ours: (ours.display, without_anchors(&solution)),
    })
}
