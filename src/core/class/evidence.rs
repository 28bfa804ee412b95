//! What shows a verdict, as plain text: for the pages that have no terminal.

use super::Judged;
use super::tame::{tame, tame_line};
use crate::core::manifest::{Bytes, VerdictKind};
use crate::core::record::{Place, StuckTask};
use crate::core::report::{Check, Line};
use crate::core::view::sentence;

/// `hung (waiting)`, `does not compile`
pub(super) fn title(line: &Line) -> String {
    let words = line.verdict.word().replace('_', " ");
    match line.kind.and_then(|kind| serde_json::to_value(kind).ok()) {
        Some(kind) => format!("{words} ({})", kind.as_str().unwrap_or_default()),
        None => words,
    }
}

/// The verdict's sentence.
pub(super) fn message(line: &Line) -> String {
    tame_line(&line.message)
}

/// Lines of text: what a person should look at, where, what rustc said, what each check came to.
pub(super) fn evidence(judged: &Judged) -> String {
    let line = &judged.line;
    let mut lines: Vec<String> = judged.notes.iter().map(|note| note_line(note)).collect();
    lines.extend(line.at.iter().map(|at| format!("at {}", place(at))));
    if line.verdict == VerdictKind::DoesNotCompile {
        lines.extend(line.diagnostics.iter().map(|d| tame(d.rendered.trim_end())));
    }
    for check in &line.checks {
        lines.extend(self::check(check));
    }
    lines.join("\n")
}

fn note_line(note: &str) -> String {
    format!("look at this: {}", tame_line(note))
}

/// The check's sentence and outcome, and below it what it found.
fn check(check: &Check) -> Vec<String> {
    let name = tame_line(&sentence(&check.name));
    let mut lines = vec![format!(
        "{}: {name}",
        check.outcome.word().replace('_', " ")
    )];
    lines.extend(found(check).into_iter().map(|line| format!("  {line}")));
    lines
}

/// What a check that did not pass found, without its name.
pub(super) fn found(check: &Check) -> Vec<String> {
    let mut lines = Vec::new();
    if check.outcome == VerdictKind::Passed {
        return lines;
    }
    let mut say = |what: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("{what}{}", tame_line(text)));
        }
    };
    say("", &check.message);
    say(
        "expected: ",
        check.evidence.expected.as_deref().unwrap_or_default(),
    );
    say("seen: ", check.evidence.seen.as_deref().unwrap_or_default());
    if let (Some(peak), Some(limit)) = (check.evidence.peak, check.evidence.limit) {
        say("peak: ", &format!("{} of {}", Bytes(peak), Bytes(limit)));
    }
    for at in &check.at {
        say("at ", &place(at));
    }
    for task in &check.evidence.tasks {
        say("stuck: ", &chain(task));
    }
    for panic in &check.swallowed {
        say("a panic that was caught: ", &panic.message);
    }
    if !check.output.is_empty() {
        lines.push("it printed:".to_owned());
        lines.extend(
            check
                .output
                .lines()
                .map(|line| format!("| {}", tame_line(line))),
        );
    }
    lines
}

fn chain(task: &StuckTask) -> String {
    let spawned = task.spawned.as_ref();
    let spawned = spawned.map(|at| format!("spawned at {}", place(at)));
    let waits: Vec<String> = task.chain.iter().map(place).collect();
    let waits = (!waits.is_empty()).then(|| format!("waits at {}", waits.join(" > ")));
    let parts: Vec<String> = spawned.into_iter().chain(waits).collect();
    parts.join(", ")
}

fn place(at: &Place) -> String {
    let text = format!("{}:{} {}", at.file, at.line, at.what);
    tame_line(text.trim_end())
}
