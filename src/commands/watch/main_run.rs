//! The key m: the exercise's own `main`, under the same limits as its checks.

use std::cell::RefCell;

use anyhow::{Context, Result};
use tokio::sync::mpsc::Sender;

use super::super::checking::seed;
use crate::compile::{self, Job, Kind, Reuse};
use crate::core::manifest::{Bytes, Exercise, Subject};
use crate::core::record::Record;
use crate::core::session::Event;
use crate::core::verdict::{BuildOutcome, Ending};
use crate::execute::{self, Env, MainRun};
use crate::prepare::Lab;
use crate::workbook::Workbook;

/// Sends what it prints; gives back how it ended, in a sentence.
pub(super) async fn run(
    workbook: &Workbook,
    lab: &Lab,
    exercise: &Exercise,
    generation: u64,
    events: &Sender<Event>,
) -> Result<String> {
    // Of a lint exercise the program beside it.
    let file = workbook.companion(exercise, &Subject::Exercise)?;
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
    // What does not fit into the channel waits here; the run itself caps how much that can be.
    let waiting = RefCell::new(String::new());
    let send = |text: &str| {
        let mut waiting = waiting.borrow_mut();
        waiting.push_str(text);
        if let Ok(place) = events.try_reserve() {
            place.send(Event::MainOutput {
                generation,
                text: std::mem::take(&mut waiting),
            });
        }
    };
    let end = match &build.outcome {
        BuildOutcome::Refused { diagnostics } => {
            diagnostics
                .iter()
                .for_each(|diagnostic| send(&diagnostic.rendered));
            "it does not compile".to_owned()
        }
        BuildOutcome::Built { .. } => {
            let binary = build.binary.as_deref().context("rustc left no program")?;
            let env = Env {
                subject: &file.display,
                limits: exercise.limits,
                seed: seed(),
                observe: false,
                sandbox: None,
            };
            sentence(&execute::run_main(binary, env, send).await?)
        }
    };
    let text = waiting.take();
    // The loop that listens owns this job: it cannot be gone.
    let _ = events.send(Event::MainOutput { generation, text }).await;
    Ok(end)
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
