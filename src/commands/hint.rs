//! `hint`: one level further at each call, or the level asked for.

use anyhow::Result;

use super::output;
use crate::cli::{Format, Shared};
use crate::core::manifest::Exercise;
use crate::core::progress::{Change, Progress};
use crate::core::report::hint_json;
use crate::core::view::hint_text;
use crate::exit::{Fault, Outcome};
use crate::store::Store;
use crate::workbook::Workbook;

const LAST: u8 = 3;

pub(super) fn run(shared: &Shared, name: Option<&str>, level: Option<u8>) -> Result<Outcome> {
    let workbook = Workbook::chosen(shared)?;
    let (mut store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = named_or_current(&workbook, store.progress(), name)?;
    let level = level
        .unwrap_or(store.progress().of(&exercise.name).hints + 1)
        .clamp(1, LAST);
    match shared.format {
        Format::Human => {
            output::print(hint_text(exercise, level, &output::look(&workbook)))?;
            output::print([String::new(), further(exercise, level)])?;
        }
        Format::Json => output::print([hint_json(exercise, level)])?,
        Format::Junit => {
            return Err(
                Fault::Usage("a hint is no test; use --format human or json".to_string()).into(),
            );
        }
    }
    output::warn(store.record(&[Change::HintTaken {
        name: exercise.name.clone(),
        level,
    }]));
    Ok(Outcome::Passed)
}

fn further(exercise: &Exercise, level: u8) -> String {
    let name = &exercise.name;
    if level < LAST {
        format!("`asynclings hint {name}` goes one further")
    } else {
        format!("this was the last; `asynclings hint {name} --level 1` shows the first again")
    }
}

/// The exercise named on the command line, or the one where the learner is. One that is closed is neither.
pub(super) fn named_or_current<'a>(
    workbook: &'a Workbook,
    progress: &Progress,
    name: Option<&str>,
) -> Result<&'a Exercise> {
    let manifest = workbook.manifest();
    let closed = |exercise: &Exercise| {
        let gate = progress.closed(manifest, &exercise.name)?;
        Some(format!("`{}` is closed: {gate}", exercise.name))
    };
    if let Some(name) = name {
        let exercise = workbook.exercise(name)?;
        return match closed(exercise) {
            Some(why) => Err(Fault::Usage(why).into()),
            None => Ok(exercise),
        };
    }
    Ok(progress.current(manifest).ok_or_else(|| {
        let first = manifest.exercises.first().and_then(closed);
        match first {
            Some(why) => Fault::Usage(format!("no exercise is open yet; {why}")),
            None => Fault::Workbook("info.toml has no exercises".to_string()),
        }
    })?)
}
