//! `diff`: the learner's fix beside ours, once theirs has passed.

use anyhow::{Context, Result};
use similar::{ChangeTag, TextDiff};

use super::output;
use crate::cli::Shared;
use crate::core::book::without_anchors;
use crate::core::manifest::{Exercise, Subject};
use crate::core::view::{Look, Tone};
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::{SubjectFile, Workbook};

pub(super) fn run(shared: &Shared, name: &str) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = workbook.exercise(name)?;
    let name = &exercise.name;
    if store.progress().of(name).first_pass.is_none() {
        output::print([format!(
            "`{name}` has not passed yet, so our fix stays hidden; `asynclings hint {name}` helps without it"
        )])?;
        return Ok(Outcome::NotYet);
    }
    let look = output::look(&workbook);
    let mut lines = Vec::new();
    for (theirs, ours) in pairs(&workbook, exercise)? {
        let solution = std::fs::read_to_string(&ours.path)
            .with_context(|| Fault::Workbook(format!("{} cannot be read", ours.display)))?;
        let files = (theirs.display.as_str(), ours.display.as_str());
        lines.extend(unified(
            &theirs.read()?,
            &without_anchors(&solution),
            files,
            &look,
        ));
    }
    if lines.is_empty() {
        output::print([format!("your fix of `{name}` and ours are the same")])?;
    } else {
        output::print(lines)?;
    }
    Ok(Outcome::Passed)
}

/// Each file of the learner's, and ours.
fn pairs(workbook: &Workbook, exercise: &Exercise) -> Result<Vec<(SubjectFile, SubjectFile)>> {
    let theirs = workbook.exercise_files(exercise).into_iter();
    let ours = [
        workbook.subject(exercise, &Subject::Solution)?,
        workbook.companion(exercise, &Subject::Solution)?,
    ];
    Ok(theirs.zip(ours).collect())
}

/// Empty where the texts are the same.
fn unified(yours: &str, ours: &str, (from, to): (&str, &str), look: &Look) -> Vec<String> {
    let diff = TextDiff::from_lines(yours, ours);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        lines.push(look.paint(Tone::Note, hunk.header().to_string().trim_end()));
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match change.tag() {
                ChangeTag::Equal => format!(" {line}"),
                ChangeTag::Delete => look.paint(Tone::Bad, &format!("-{line}")),
                ChangeTag::Insert => look.paint(Tone::Good, &format!("+{line}")),
            });
        }
    }
    if !lines.is_empty() {
        lines.insert(0, look.paint(Tone::Strong, &format!("--- {from} (yours)")));
        lines.insert(1, look.paint(Tone::Strong, &format!("+++ {to} (ours)")));
    }
    lines
}
