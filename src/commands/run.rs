//! `run`: one exercise, checked once.

use std::io::{Write, stderr, stdout};

use anyhow::Result;

use super::checking::{Checked, Checker, side_by_side};
use super::hint::named_or_current;
use super::{lab, main_run, output};
use crate::cli::{Format, Shared};
use crate::compile::Reuse;
use crate::core::manifest::{Exercise, Subject};
use crate::core::progress::Change;
use crate::core::report;
use crate::core::verdict::Verdict;
use crate::core::view::{self, Look};
use crate::exit::{Fault, Outcome};
use crate::store::{Store, now};
use crate::terminal;
use crate::workbook::Workbook;

/// # Errors
/// An unknown name, a workbook or machine with a fault. A failing exercise is no error.
pub async fn run(shared: &Shared, name: Option<&str>, subject: &Subject) -> Result<Outcome> {
    let workbook = Workbook::chosen(shared)?;
    let (mut store, warning) = Store::open(&workbook);
    output::warn(warning);
    output::warn(super::update::advice(&workbook));
    let exercise = named_or_current(&workbook, store.progress(), name)?;
    // Before the lab: a file that is gone is said at once, not after a minute of building.
    workbook.subject(exercise, subject)?.read()?;
    let lab = lab::ready(shared, &workbook).await?;
    let checker = Checker {
        workbook: &workbook,
        lab: &lab,
        jobs: side_by_side(),
        sandbox: None,
    };
    let checked = checker.check(exercise, subject, Reuse::Incremental).await?;
    // As wide as the terminal: lines of code are quoted.
    let look = Look {
        width: terminal::dimensions().0,
        ..output::look(&workbook)
    };
    print(shared.format, exercise, subject, &checked, &look)?;
    if let Verdict::Skipped { reason } = &checked.judged.verdict {
        let text = format!("`{}` was not checked: {reason}", exercise.name);
        return Err(Fault::Machine(text).into());
    }
    if *subject == Subject::Exercise {
        output::warn(store.record(&[verdict_given(exercise, &checked)]));
    }
    Ok(outcome(checked.judged.verdict.passed()))
}

/// Its own `main`: what it prints goes to standard output as it comes, how it ended to standard error.
///
/// # Errors
/// An unknown name, a workbook or machine with a fault. A `main` that fails is no error.
pub async fn own_main(shared: &Shared, name: Option<&str>, subject: &Subject) -> Result<Outcome> {
    if shared.format != Format::Human {
        let text = "`--main` checks nothing, so there is nothing to report; leave `--format` out";
        return Err(Fault::Usage(text.to_owned()).into());
    }
    let workbook = Workbook::chosen(shared)?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = named_or_current(&workbook, store.progress(), name)?;
    workbook.companion(exercise, subject)?.read()?;
    let lab = lab::ready(shared, &workbook).await?;
    let mut written = Ok(());
    let show = |text: &str| {
        let mut out = stdout().lock();
        if written.is_ok() {
            written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    };
    let ended = main_run::run(&workbook, &lab, exercise, subject, show).await?;
    written?;
    let _ = writeln!(stderr(), "asynclings: {}", ended.sentence);
    Ok(outcome(ended.well))
}

pub fn outcome(passed: bool) -> Outcome {
    if passed {
        Outcome::Passed
    } else {
        Outcome::NotYet
    }
}

pub fn verdict_given(exercise: &Exercise, checked: &Checked) -> Change {
    Change::Checked {
        name: exercise.name.clone(),
        passed: checked.judged.verdict.passed(),
        verdict: Some(checked.judged.verdict.kind()),
        at: now(),
    }
}

fn print(
    format: Format,
    exercise: &Exercise,
    subject: &Subject,
    checked: &Checked,
    look: &Look,
) -> Result<()> {
    let reported = checked.reported(exercise, subject);
    let text = match format {
        Format::Json => report::json(&reported) + "\n",
        Format::Junit => report::junit(&[reported])? + "\n",
        Format::Human => view::verdict_text(exercise, &checked.judged, &checked.source, look),
    };
    stdout().write_all(text.as_bytes())?;
    Ok(())
}
