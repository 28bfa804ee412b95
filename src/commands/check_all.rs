//! `check-all`: every exercise, several at a time, each line as soon as those before it are there.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use anyhow::{Result, bail};
use futures::{StreamExt, stream};

use super::checking::{Checked, Checker, cores};
use super::run::{outcome, verdict_given};
use super::{bar, lab};
use crate::cli::{Format, Shared};
use crate::compile::Reuse;
use crate::core::manifest::{Exercise, Subject};
use crate::core::report::{self, Reported};
use crate::core::view;
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::Workbook;

/// # Errors
/// Where an exercise could not be judged; the others have been, and are printed.
pub async fn check_all(shared: &Shared, jobs: Option<usize>, solutions: bool) -> Result<Outcome> {
    let workbook = Workbook::chosen(shared)?;
    let subject = if solutions {
        Subject::Solution
    } else {
        Subject::Exercise
    };
    let lab = lab::ready(shared, &workbook).await?;
    // All cores are busy with exercises; checks of one exercise at the same time would only get in their way.
    let checker = Checker {
        workbook: &workbook,
        lab: &lab,
        jobs: 1,
        sandbox: None,
    };
    let (store, warning) = Store::open(&workbook);
    super::output::warn(warning);
    let manifest = workbook.manifest();
    let (closed, exercises): (Vec<&Exercise>, Vec<&Exercise>) = manifest
        .exercises
        .iter()
        .partition(|exercise| store.progress().closed(manifest, &exercise.name).is_some());
    if !closed.is_empty() {
        eprintln!(
            "{} exercises are closed and not checked; `asynclings list` says when they open",
            closed.len()
        );
    }
    let bar = bar::of(exercises.len(), "exercises");
    let mut found: Vec<Found<'_>> = Vec::new();
    let subject = &subject;
    // Not `buffered`: what is done would keep its place until all before it are, and a core stand idle.
    let mut checks =
        stream::iter(exercises.iter().copied().enumerate())
            .map(|(at, exercise)| async move {
                (at, checker.check(exercise, subject, Reuse::Once).await)
            })
            .buffer_unordered(jobs.unwrap_or_else(cores).max(1));
    // Printed in the order of the path, whichever is done first.
    let mut early = BTreeMap::new();
    while let Some((at, result)) = checks.next().await {
        bar.inc(1);
        early.insert(at, result);
        while let Some(result) = early.remove(&found.len()) {
            let exercise = exercises[found.len()];
            bar.suspend(|| print_one(shared.format, exercise, subject, &result))?;
            found.push((exercise, result));
        }
    }
    bar.finish_and_clear();
    conclude(shared.format, &workbook, subject, &found)
}

type Found<'w> = (&'w Exercise, Result<Checked>);

fn print_one(
    format: Format,
    exercise: &Exercise,
    subject: &Subject,
    result: &Result<Checked>,
) -> Result<()> {
    let line = match (format, result) {
        (Format::Json, Ok(checked)) => report::json(&checked.reported(exercise, subject)),
        (Format::Human, Ok(checked)) => human(exercise, checked),
        (Format::Human, Err(error)) => format!("{:18} {}  {error:#}", "not judged", exercise.name),
        _ => return Ok(()),
    };
    writeln!(stdout(), "{line}")?;
    Ok(())
}

fn human(exercise: &Exercise, checked: &Checked) -> String {
    let judged = &checked.judged;
    let tone = if judged.verdict.passed() {
        view::Tone::Good
    } else if judged.verdict.skipped() {
        view::Tone::Note
    } else {
        view::Tone::Bad
    };
    let look = super::output::plain_look();
    let title = look.paint(tone, &format!("{:18}", view::title(&judged.verdict)));
    match judged.at.first() {
        Some(place) => format!("{title} {}  {}", exercise.name, look.place(place)),
        None => format!("{title} {}", exercise.name),
    }
}

fn conclude(
    format: Format,
    workbook: &Workbook,
    subject: &Subject,
    found: &[Found<'_>],
) -> Result<Outcome> {
    let judged: Vec<(&Exercise, &Checked)> = found
        .iter()
        .filter_map(|(exercise, result)| Some((*exercise, result.as_ref().ok()?)))
        .collect();
    let passed = judged
        .iter()
        .filter(|(_, checked)| checked.judged.verdict.passed())
        .count();
    let skipped = judged
        .iter()
        .filter(|(_, checked)| checked.judged.verdict.skipped())
        .count();
    match format {
        Format::Junit => {
            let rows: Vec<Reported<'_>> = judged
                .iter()
                .map(|(exercise, checked)| checked.reported(exercise, subject))
                .collect();
            writeln!(stdout(), "{}", report::junit(&rows)?)?;
        }
        Format::Human => {
            let skipped = match skipped {
                0 => String::new(),
                n => format!(", {n} skipped"),
            };
            writeln!(stdout(), "{passed} of {} passed{skipped}", found.len())?;
        }
        Format::Json => {}
    }
    if *subject == Subject::Exercise {
        let changes: Vec<_> = judged
            .iter()
            .filter(|(_, checked)| !checked.judged.verdict.skipped())
            .map(|(exercise, checked)| verdict_given(exercise, checked))
            .collect();
        let (mut store, warning) = Store::open(workbook);
        super::output::warn(warning);
        super::output::warn(store.record(&changes));
    }
    let broken: Vec<String> = found
        .iter()
        .filter_map(|(exercise, result)| {
            Some(format!(
                "exercise `{}`: {:#}",
                exercise.name,
                result.as_ref().err()?
            ))
        })
        .collect();
    if !broken.is_empty() {
        bail!(Fault::Workbook(broken.join("\n")));
    }
    Ok(outcome(passed + skipped == found.len()))
}
