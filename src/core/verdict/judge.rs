//! Build outcome + endings + records -> `Judged`. `build` and `run` hold the rules for the two halves.

use super::build::{RefusedBuild, refused};
use super::calls::{Check, checks, checks_until};
use super::run::outcome;
use super::{BuildOutcome, CheckOutcome, CheckRun, Diagnostic, Judged, OurFault, Sources, Verdict};
use crate::core::manifest::Exercise;

/// # Errors
/// Where the fault is ours and no verdict on the learner's code would be fair.
pub fn judge(
    exercise: &Exercise,
    sources: &Sources<'_>,
    build: BuildOutcome,
    runs: Vec<CheckRun>,
) -> Result<Judged, OurFault> {
    match build {
        BuildOutcome::Refused { diagnostics } => {
            let RefusedBuild {
                diagnostics,
                at,
                message,
            } = refused(sources, diagnostics)?;
            let (diagnostics, warnings) = diagnostics.into_iter().partition(Diagnostic::is_error);
            let verdict = Verdict::DoesNotCompile { diagnostics };
            Ok(Judged {
                verdict,
                at,
                message,
                checks: Vec::new(),
                warnings,
                swallowed: Vec::new(),
            })
        }
        BuildOutcome::Built { warnings } => {
            let runs = in_order(sources, runs)?;
            let checks: Result<Vec<_>, _> = runs
                .into_iter()
                .map(|run| outcome(exercise, sources, run))
                .collect();
            Ok(of_checks(checks?, warnings))
        }
    }
}

/// That of the first check that did not pass: the learner mends one thing at a time.
pub(super) fn of_checks(checks: Vec<CheckOutcome>, warnings: Vec<Diagnostic>) -> Judged {
    let (verdict, at, message, swallowed) =
        match checks.iter().find(|check| !check.verdict.passed()) {
            Some(check) => (
                check.verdict.clone(),
                check.at.clone(),
                check.message.clone(),
                check.swallowed.clone(),
            ),
            None => (Verdict::Passed, Vec::new(), String::new(), Vec::new()),
        };
    Judged {
        verdict,
        at,
        message,
        checks,
        warnings,
        swallowed,
    }
}

/// The runs in the order of the checks' source. A check that is there and did not run is no pass.
fn in_order(sources: &Sources<'_>, mut runs: Vec<CheckRun>) -> Result<Vec<CheckRun>, OurFault> {
    let file = sources.checks_file.to_string();
    if runs.is_empty() {
        return Err(OurFault::NoChecks { file });
    }
    let mut written = checks(sources.checks);
    if let Some(last) = sources.until {
        let wanted = checks_until(sources.checks, last).len();
        written.truncate(wanted);
    }
    let ran = |check: &Check| runs.iter().any(|run| last_segment(&run.name) == check.name);
    let missing: Vec<String> = written
        .iter()
        .filter(|check| !check.optional && !ran(check))
        .map(|check| format!("`{}`", check.name))
        .collect();
    if !missing.is_empty() {
        return Err(OurFault::NotRun {
            file,
            names: missing.join(", "),
        });
    }
    runs.sort_by_key(|run| {
        let name = last_segment(&run.name);
        written
            .iter()
            .position(|check| check.name == name)
            .unwrap_or(usize::MAX)
    });
    Ok(runs)
}

fn last_segment(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
