//! `incident --format json`, one line.

use serde::Serialize;

use super::{SCHEMA, hang_kind, text};
use crate::core::incident::{Figures, Observed, Turn};
use crate::core::manifest::{Exercise, VerdictKind};
use crate::core::record::{Extra, HangKind, Lost, Place};

#[derive(Debug, Serialize)]
struct Incident<'a> {
    schema: u32,
    exercise: &'a str,
    chapter: &'a str,
    /// What happens in the scenario.
    story: &'a str,
    /// As shipped first; the learner's only where it differs; the solution last.
    turns: Vec<Of<'a>>,
}

#[derive(Debug, Serialize)]
struct Of<'a> {
    /// `shipped`, `exercise`, `solution`, or a variant's name
    subject: &'a str,
    title: &'a str,
    /// How the scenario ended: `passed` where it came to its end, whatever the figures.
    verdict: VerdictKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<HangKind>,
    message: &'a str,
    at: &'a [Place],
    /// Of the run without hooks; `null` where it wrote none.
    figures: Option<Measured<'a>>,
    /// Of the run with hooks; `null` where it wrote nothing.
    observed: Option<Seen>,
    /// Each message once.
    panics: Vec<Panic<'a>>,
}

#[derive(Debug, Serialize)]
struct Measured<'a> {
    /// What the requests are.
    counting: &'a str,
    due: u64,
    answered: u64,
    /// Failed, panicked, or never answered.
    errors: u64,
    panicked: u64,
    requests_per_second: Option<f64>,
    /// From when a request was due, whenever it was begun.
    p50_us: Option<u64>,
    p99_us: Option<u64>,
    lost: Option<&'a Lost>,
    /// Live heap.
    peak_bytes: u64,
    extra: &'a [Extra],
}

#[derive(Debug, Serialize)]
struct Seen {
    polls: u64,
    polls_per_request: Option<f64>,
    longest_poll_us: u64,
    /// Against `figures` it says what observing costs.
    requests_per_second: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Panic<'a> {
    message: &'a str,
    at: Option<&'a Place>,
}

pub fn incident(exercise: &Exercise, story: &str, turns: &[Turn]) -> String {
    text(&Incident {
        schema: SCHEMA,
        exercise: &exercise.name,
        chapter: &exercise.chapter,
        story,
        turns: turns.iter().map(turn).collect(),
    })
}

fn turn(turn: &Turn) -> Of<'_> {
    let panics = turn.panics.iter();
    Of {
        subject: &turn.subject,
        title: &turn.title,
        verdict: turn.judged.verdict.kind(),
        kind: hang_kind(&turn.judged.verdict),
        message: &turn.judged.message,
        at: &turn.judged.at,
        figures: turn.figures.as_ref().map(measured),
        observed: turn.observed.as_ref().map(seen),
        panics: panics
            .map(|(message, at)| Panic {
                message,
                at: at.as_ref(),
            })
            .collect(),
    }
}

fn measured(figures: &Figures) -> Measured<'_> {
    let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    Measured {
        counting: &figures.counting,
        due: figures.due,
        answered: figures.answered,
        errors: figures.errors,
        panicked: figures.panicked,
        requests_per_second: figures.per_second,
        p50_us: figures.p50.map(micros),
        p99_us: figures.p99.map(micros),
        lost: figures.lost.as_ref(),
        peak_bytes: figures.peak.0,
        extra: &figures.extra,
    }
}

fn seen(observed: &Observed) -> Seen {
    Seen {
        polls: observed.timeline.all_polls,
        polls_per_request: observed.polls_a_request(),
        longest_poll_us: observed.timeline.longest_poll_us,
        requests_per_second: observed.per_second,
    }
}
