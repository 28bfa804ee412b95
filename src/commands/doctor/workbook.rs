//! The workbook: manifest, files, and whether progress can be kept.

use anyhow::Result;

use super::{Finding, Of, State, ok, wrong};
use crate::core::manifest::Subject;
use crate::store::Store;
use crate::workbook::Workbook;

pub(super) fn findings(workbook: Result<Workbook>) -> Vec<Finding> {
    let finding = |what, state| Finding::new(Of::Workbook, what, state);
    match workbook {
        Ok(workbook) => vec![
            finding("workbook", ok(summary(&workbook))),
            finding("exercises", exercises(&workbook)),
            finding("checks", checks(&workbook)),
            finding("lab.toml", added(&workbook)),
            finding("progress", progress(&workbook)),
        ],
        Err(error) => {
            let mend = "mend info.toml as it says, or `asynclings init` writes a new workbook";
            vec![finding("workbook", wrong(format!("{error:#}"), mend))]
        }
    }
}

fn summary(workbook: &Workbook) -> String {
    let manifest = workbook.manifest();
    let (exercises, chapters) = (manifest.exercises.len(), manifest.chapters.len());
    format!(
        "{}: exercises: {exercises}, chapters: {chapters}, language: {}",
        workbook.root().display(),
        manifest.language
    )
}

/// The first complaint stands for all: they mostly have one cause.
fn exercises(workbook: &Workbook) -> State {
    let all = workbook.manifest().exercises.iter();
    let files = all.flat_map(|exercise| workbook.exercise_files(exercise));
    let mut faults = files.filter_map(|file| file.read().err());
    match (faults.next(), faults.count()) {
        (None, _) => ok("every file is there"),
        (Some(first), more) => wrong(
            and_more(format!("{first:#}"), more),
            "`asynclings reset --all` brings back what is gone",
        ),
    }
}

fn checks(workbook: &Workbook) -> State {
    let read = |exercise| {
        let checks = workbook.checks(exercise).and_then(|file| file.read());
        let solution = workbook
            .subject(exercise, &Subject::Solution)
            .and_then(|file| file.read());
        checks.and(solution).err()
    };
    let mut faults = workbook.manifest().exercises.iter().filter_map(read);
    match (faults.next(), faults.count()) {
        (None, _) if workbook.has_own_checks() => ok("every exercise has its own, in checks/"),
        (None, _) => ok("every exercise has its own, inside this program"),
        (Some(first), more) => wrong(
            and_more(format!("{first:#}"), more),
            "take the workbook from where it came from again",
        ),
    }
}

/// The crates that a pack adds to the lab.
fn added(workbook: &Workbook) -> State {
    let mend = "mend lab.toml as it says; then `asynclings dev update` writes lab.lock";
    match workbook.lab_sources() {
        Ok(sources) if sources.added.is_empty() => ok("the lab has its own crates alone"),
        Ok(sources) => ok(format!(
            "the lab has more crates: {}",
            sources.added.join(", ")
        )),
        Err(error) => wrong(format!("{error:#}"), mend),
    }
}

fn and_more(first: String, more: usize) -> String {
    if more == 0 {
        first
    } else {
        format!("{first} (and {more} more)")
    }
}

/// A change of nothing, so that all of saving is tried.
fn progress(workbook: &Workbook) -> State {
    let (mut store, warning) = Store::open(workbook);
    match warning.or_else(|| store.record(&[])) {
        None => {
            let done = store.progress().done(workbook.manifest());
            ok(format!(
                "{done} of {} done, in {}",
                workbook.manifest().exercises.len(),
                workbook.progress_file().display()
            ))
        }
        Some(warning) => wrong(warning, "make the workbook's folder one that you can write"),
    }
}
