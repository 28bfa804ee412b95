//! One check's process -> its verdict, by rules in the order of `rules`: the most certain evidence first.

use super::calls::called_by;
use super::{
    CheckOutcome, CheckRun, Ending, Failure, OurFault, Sources, Swallowed, Verdict, ending, words,
};
use crate::core::manifest::Exercise;
use crate::core::record::{HangKind, PanicOn, Place, Record};

/// A verdict, and its places in the subject's file, the most telling first.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) at: Vec<Place>,
}

pub(super) fn outcome(
    exercise: &Exercise,
    sources: &Sources<'_>,
    mut run: CheckRun,
) -> Result<CheckOutcome, OurFault> {
    // The learner reads a sentence; which module of the binary it came from is no part of it.
    if let Some(name) = run.name.strip_prefix("checks::") {
        run.name = name.to_string();
    }
    let Found { verdict, mut at } = rules(exercise, sources, &run)?;
    if verdict.passed() {
        let CheckRun {
            name, output, took, ..
        } = run;
        return Ok(CheckOutcome {
            name,
            verdict,
            at: vec![],
            message: String::new(),
            swallowed: vec![],
            output,
            took,
        });
    }
    let swallowed = swallowed(&run, &verdict, sources.subject_file);
    at.extend(swallowed.iter().flat_map(|panic| panic.at.iter().cloned()));
    let mut at = in_file(&at, sources.subject_file);
    if at.is_empty() {
        at.extend(contract_place(&run.name, sources));
    }
    let message = words::sentence(&verdict, &at);
    Ok(CheckOutcome {
        name: run.name,
        verdict,
        at,
        message,
        swallowed,
        output: run.output,
        took: run.took,
    })
}

fn rules(exercise: &Exercise, sources: &Sources<'_>, run: &CheckRun) -> Result<Found, OurFault> {
    let recorded = over_memory(run)
        .or_else(|| hung(run))
        .or_else(|| failed(run));
    if let Some(found) = recorded {
        return Ok(found);
    }
    if let Some(found) = panicked(sources, run)? {
        return Ok(found);
    }
    Ok(left_running(run).unwrap_or_else(|| ending::found(exercise, run)))
}

fn over_memory(run: &CheckRun) -> Option<Found> {
    run.records.iter().find_map(|record| match record {
        Record::OverMemory { peak, limit, at } => Some(Found {
            verdict: Verdict::OverMemory {
                peak: *peak,
                limit: *limit,
            },
            at: at.clone(),
        }),
        _ => None,
    })
}

fn hung(run: &CheckRun) -> Option<Found> {
    run.records.iter().find_map(|record| match record {
        Record::Hung { kind, tasks, at } => {
            // The innermost place of a chain is the one that waits; where it was spawned is the last resort.
            let chains = tasks.iter().filter_map(|task| task.chain.last());
            let spawned = tasks.iter().filter_map(|task| task.spawned.as_ref());
            let at = at.iter().chain(chains).chain(spawned).cloned().collect();
            Some(Found {
                verdict: Verdict::Hung {
                    kind: *kind,
                    tasks: tasks.clone(),
                },
                at,
            })
        }
        _ => None,
    })
}

fn failed(run: &CheckRun) -> Option<Found> {
    run.records.iter().find_map(|record| match record {
        Record::Failed {
            message,
            expected,
            seen,
            at,
        } => {
            let failure = Failure {
                message: message.clone(),
                expected: expected.clone(),
                seen: seen.clone(),
            };
            Some(Found {
                verdict: Verdict::CheckFailed { failure },
                at: at.clone(),
            })
        }
        _ => None,
    })
}

fn left_running(run: &CheckRun) -> Option<Found> {
    run.records.iter().find_map(|record| match record {
        Record::LeftRunning {
            what,
            count,
            detail,
            at,
        } => {
            let verdict = Verdict::LeftRunning {
                what: *what,
                count: *count,
                detail: detail.clone(),
            };
            Some(Found {
                verdict,
                at: at.clone(),
            })
        }
        _ => None,
    })
}

/// The panic that ended the check, if one did. Others were caught and are evidence at most.
fn panicked(sources: &Sources<'_>, run: &CheckRun) -> Result<Option<Found>, OurFault> {
    const SIGABRT: i32 = 6;
    let by_panic = matches!(run.ending, Ending::Exited(status) if status != 0)
        || run.ending == Ending::Signalled(SIGABRT);
    if !by_panic {
        return Ok(None);
    }
    let panics: Vec<Panic> = panics(run, sources.subject_file).collect();
    // The last one: an earlier one was caught, or the check would have ended there.
    let Some(of_check) = panics.iter().rfind(|panic| panic.on == PanicOn::Check) else {
        // `resume_unwind` carries a task's panic on and tells nobody: `JoinSet::join_all` does so.
        let carried_on = panics.iter().rfind(|panic| panic.on == PanicOn::Task);
        return Ok(carried_on.map(Panic::found));
    };
    if of_check.places.is_empty() {
        // A check that unwraps a `JoinError` panics itself; the cause is the task's panic.
        if let Some(cause) = panics
            .iter()
            .find(|panic| panic.on != PanicOn::Check && !panic.places.is_empty())
        {
            return Ok(Some(cause.found()));
        }
        if let Some(origin) = of_check.origin.filter(|origin| is_ours(origin, sources)) {
            return Err(OurFault::CheckPanicked {
                check: run.name.clone(),
                origin: format!("{}:{}", origin.file, origin.line),
                message: of_check.message.to_string(),
            });
        }
    }
    Ok(Some(of_check.found()))
}

fn is_ours(origin: &Place, sources: &Sources<'_>) -> bool {
    origin.file == sources.checks_file || origin.file.contains("lab/src/")
}

struct Panic<'a> {
    message: &'a str,
    on: PanicOn,
    origin: Option<&'a Place>,
    /// In the subject's file.
    places: Vec<Place>,
}

impl Panic<'_> {
    fn found(&self) -> Found {
        let verdict = Verdict::Panicked {
            message: self.message.to_string(),
            swallowed: self.on != PanicOn::Check,
        };
        Found {
            verdict,
            at: self.places.clone(),
        }
    }
}

fn panics<'a>(run: &'a CheckRun, subject_file: &'a str) -> impl Iterator<Item = Panic<'a>> {
    run.records.iter().filter_map(move |record| match record {
        Record::Panicked {
            message,
            origin,
            on,
            spawned,
            at,
        } => {
            let places: Vec<Place> = origin.iter().chain(at).chain(spawned).cloned().collect();
            let places = in_file(&places, subject_file);
            Some(Panic {
                message,
                on: *on,
                origin: origin.as_ref(),
                places,
            })
        }
        _ => None,
    })
}

/// Panics that are not the verdict itself.
fn swallowed(run: &CheckRun, verdict: &Verdict, subject_file: &str) -> Vec<Swallowed> {
    let is_verdict = |panic: &Panic| matches!(verdict, Verdict::Panicked { message, .. } if message == panic.message);
    panics(run, subject_file)
        .filter(|panic| !is_verdict(panic) && !panic.places.is_empty())
        .map(|panic| Swallowed {
            message: panic.message.to_string(),
            on: panic.on,
            origin: panic.origin.cloned(),
            at: panic.places,
        })
        .collect()
}

/// Without repetitions, in their order.
fn in_file(places: &[Place], file: &str) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::new();
    for place in places.iter().filter(|place| place.file == file) {
        if !kept.iter().any(|other| other.line == place.line) {
            kept.push(place.clone());
        }
    }
    kept
}

/// The item that the check calls: the one line that a verdict without any evidence can still name.
fn contract_place(check: &str, sources: &Sources<'_>) -> Option<Place> {
    let name = check.rsplit("::").next().unwrap_or(check);
    let item = called_by(name, sources.checks, sources.subject)?;
    Some(Place {
        file: sources.subject_file.to_string(),
        line: item.line,
        column: None,
        what: item.name,
    })
}

/// Whether the outer deadline alone shows a hang, and of which kind.
pub(super) fn hang_at_deadline(busy: bool) -> Verdict {
    let kind = if busy {
        HangKind::Spinning
    } else {
        HangKind::Blocked
    };
    Verdict::Hung {
        kind,
        tasks: Vec::new(),
    }
}
