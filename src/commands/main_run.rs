//! The exercise's own `main`, under the same limits as its checks: the key m, and `run --main`.

use anyhow::{Context, Result};

use super::checking::seed;
use crate::compile::{self, Job, Kind, Reuse};
use crate::core::manifest::{Bytes, Exercise, Subject};
use crate::core::record::Record;
use crate::core::verdict::{BuildOutcome, Ending};
use crate::execute::{self, Env, MainRun};
use crate::prepare::Lab;
use crate::workbook::Workbook;

/// What became of it. No verdict: nothing was checked.
pub struct Ended {
    /// Without a full stop.
    pub sentence: String,
    /// It compiled, and ended by itself with exit status 0.
    pub well: bool,
}

/// Gives what it prints to `on_output` as it comes, up to a cap; what the compiler says, if it does not compile.
///
/// # Errors
/// This machine or the workbook is at fault.
pub async fn run(
    workbook: &Workbook,
    lab: &Lab,
    exercise: &Exercise,
    subject: &Subject,
    mut on_output: impl FnMut(&str),
) -> Result<Ended> {
    // Of a lint exercise the program beside it.
    let file = workbook.companion(exercise, subject)?;
    let job = Job {
        kind: Kind::Main,
        subject: &file.path,
        subject_display: &file.display,
        checks: None,
        scratch: &workbook.scratch_dir()?,
        name: &format!("{}-main", exercise.name),
        reuse: Reuse::Incremental,
        sandbox: None,
    };
    let build = compile::build(lab, &job).await?;
    if let BuildOutcome::Refused { diagnostics } = &build.outcome {
        for diagnostic in diagnostics {
            on_output(&diagnostic.rendered);
        }
        return Ok(Ended {
            sentence: "it does not compile".to_owned(),
            well: false,
        });
    }
    let binary = build.binary.as_deref().context("rustc left no program")?;
    let env = Env {
        subject: &file.display,
        limits: exercise.limits,
        seed: seed(),
        observe: false,
        sandbox: None,
    };
    let run = execute::run_main(binary, env, on_output).await?;
    Ok(Ended {
        sentence: sentence(&run),
        well: matches!(run.ending, Ending::Exited(0)),
    })
}

fn sentence(run: &MainRun) -> String {
    let took = run.took.as_secs_f32();
    let over = run.records.iter().find_map(|record| match record {
        Record::OverMemory { peak, limit, at } => Some((peak, limit, at)),
        _ => None,
    });
    if let Some((peak, limit, at)) = over {
        let place = at
            .first()
            .map(|at| format!(", in {}:{}", at.file, at.line))
            .unwrap_or_default();
        return format!(
            "it was ended: {} of memory in use, the limit is {}{place}",
            Bytes(*peak),
            Bytes(*limit)
        );
    }
    match run.ending {
        Ending::Exited(status) => format!("it ended with exit status {status} after {took:.1} s"),
        Ending::Signalled(signal) => format!("it was ended by signal {signal} after {took:.1} s"),
        Ending::Deadline { .. } => format!("it was still running after {took:.1} s, and was ended"),
        Ending::FilledFolder => format!("it was ended after {took:.1} s, as it filled its folder"),
    }
}
