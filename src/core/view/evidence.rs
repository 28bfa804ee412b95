//! The verdict in one sentence, and what it rests on.

use super::excerpt::{Mark, excerpt};
use super::paint::{Look, Tone, plain, shown};
use super::words::{caught, count, mib, sentence, title};
use crate::core::record::{HangKind, Place, StuckTask};
use crate::core::verdict::{Diagnostic, Judged, Verdict};

/// Tasks whose chains are shown; a thousand stuck tasks say no more than a few.
const MAX_TASKS: usize = 4;
/// Diagnostics that are shown: the rest follows from the first few.
const MAX_DIAGNOSTICS: usize = 8;

pub(super) fn headline(judged: &Judged, look: &Look) -> Vec<String> {
    let (sign, tone) = if judged.verdict.passed() {
        ("✓", Tone::Good)
    } else if judged.verdict.skipped() {
        ("-", Tone::Note)
    } else {
        ("✗", Tone::Bad)
    };
    let title = title(&judged.verdict);
    let message = match &judged.verdict {
        Verdict::Passed if judged.checks.len() == 1 => "its one check holds".to_owned(),
        Verdict::Passed if judged.checks.len() == 2 => "both checks hold".to_owned(),
        Verdict::Passed => format!("all {} checks hold", judged.checks.len()),
        _ => shown(&plain(&judged.message)),
    };
    let text = if message.is_empty() {
        title.to_owned()
    } else {
        format!("{title}: {message}")
    };
    let mut lines = look.wrap(&text, &format!("{sign} "), "  ");
    if let Some(first) = lines.first_mut() {
        let end = title_end(first, title);
        *first = look.paint(tone, &first[..end]) + &first[end..];
    }
    if let Some(check) = judged.failing() {
        let text = format!("in the check “{}”", sentence(&check.name));
        lines.extend(
            look.wrap(&text, "  ", "  ")
                .iter()
                .map(|line| look.paint(Tone::Quiet, line)),
        );
    }
    lines
}

fn title_end(line: &str, title: &str) -> usize {
    line.find(title).map_or(line.len(), |at| at + title.len())
}

pub(super) fn evidence(judged: &Judged, source: &str, look: &Look) -> Vec<String> {
    let quote = |note: &str| excerpt(&marks(&judged.at, note), source, look);
    match &judged.verdict {
        Verdict::Passed | Verdict::Skipped { .. } => Vec::new(),
        Verdict::DoesNotCompile { diagnostics } => compile_errors(diagnostics, look),
        Verdict::CheckFailed { failure } => {
            let mut lines = values(failure.expected.as_deref(), failure.seen.as_deref(), look);
            join(&mut lines, quote(""));
            lines
        }
        Verdict::Hung {
            kind: HangKind::Waiting,
            tasks,
        } if tasks.iter().any(|task| !chain(task).is_empty()) => stuck(tasks, source, look),
        Verdict::Hung {
            kind: HangKind::Waiting,
            ..
        } => quote("waits here"),
        Verdict::Hung {
            kind: HangKind::Blocked,
            ..
        } => quote("holds the thread here"),
        Verdict::Hung {
            kind: HangKind::Spinning,
            ..
        } => quote("runs here without end"),
        Verdict::OverMemory { peak, limit } => {
            let mut lines = look.wrap(
                &format!("peak {}, limit {}", mib(*peak), mib(*limit)),
                "  ",
                "  ",
            );
            join(&mut lines, quote("this allocation crossed the limit"));
            lines
        }
        Verdict::Panicked { .. } => quote("panics here"),
        Verdict::EndedEarly { .. } => quote(""),
        Verdict::LeftRunning { .. } => quote("started here, and still running"),
    }
}

/// The first place gets the note, the others say what stands there; places of other files cannot be quoted.
fn marks(at: &[Place], note: &str) -> Vec<Mark> {
    let Some(first) = at.first() else {
        return Vec::new();
    };
    at.iter()
        .filter(|place| place.file == first.file)
        .enumerate()
        .map(|(index, place)| Mark {
            place: place.clone(),
            note: said(if index == 0 { note } else { "" }, &place.what),
        })
        .collect()
}

fn said(note: &str, what: &str) -> String {
    match (note, what) {
        ("", what) => what.to_owned(),
        (note, "") => note.to_owned(),
        (note, what) => format!("{note}: {what}"),
    }
}

/// Each stuck task's chain of `.await`s, tasks that hang alike together.
fn stuck(tasks: &[StuckTask], source: &str, look: &Look) -> Vec<String> {
    let mut alike: Vec<(&StuckTask, usize)> = Vec::new();
    for task in tasks {
        match alike.iter_mut().find(|(known, _)| *known == task) {
            Some((_, times)) => *times += 1,
            None => alike.push((task, 1)),
        }
    }
    let mut lines = Vec::new();
    for (task, times) in alike.iter().take(MAX_TASKS) {
        let mut part = look.wrap(&owner(task, *times, look), "  ", "  ");
        part.extend(excerpt(&chain(task), source, look));
        join(&mut lines, part);
    }
    let rest: usize = alike.iter().skip(MAX_TASKS).map(|(_, times)| times).sum();
    if rest > 0 {
        join(
            &mut lines,
            vec![format!("  and {} more", count(rest, "task"))],
        );
    }
    lines
}

fn owner(task: &StuckTask, times: usize, look: &Look) -> String {
    match (&task.spawned, times) {
        (None, _) => "what the check itself awaits:".to_owned(),
        (Some(place), 1) => format!("the task spawned at {}:", look.place(place)),
        (Some(place), n) => format!("{n} tasks spawned at {}:", look.place(place)),
    }
}

/// Innermost first, as it is the line that waits; a task that shows no line is marked where it was spawned.
fn chain(task: &StuckTask) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for place in task.chain.iter().rev() {
        let note = if marks.is_empty() {
            said("waits here", &place.what)
        } else {
            "awaits that".to_owned()
        };
        if marks
            .first()
            .is_none_or(|first| first.place.file == place.file)
        {
            marks.push(Mark {
                place: place.clone(),
                note,
            });
        }
    }
    if let (true, Some(place)) = (marks.is_empty(), &task.spawned) {
        marks.push(Mark {
            place: place.clone(),
            note: "spawned here; where it waits cannot be seen".to_owned(),
        });
    }
    marks
}

fn values(expected: Option<&str>, seen: Option<&str>, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for (label, value) in [("expected", expected), ("seen", seen)] {
        for (index, line) in value.into_iter().flat_map(str::lines).enumerate() {
            let head = if index == 0 {
                format!("  {label:<8}  ")
            } else {
                " ".repeat(12)
            };
            lines.extend(look.wrap(&shown(&plain(line)), &head, &" ".repeat(12)));
        }
    }
    lines
}

/// rustc's own rendering; its summing-up lines say nothing about the code.
fn compile_errors(diagnostics: &[Diagnostic], look: &Look) -> Vec<String> {
    let told: Vec<&Diagnostic> = diagnostics
        .iter()
        .filter(|diagnostic| tells(diagnostic))
        .collect();
    let (errors, warnings): (Vec<&Diagnostic>, Vec<&Diagnostic>) = told
        .into_iter()
        .partition(|diagnostic| diagnostic.level.starts_with("error"));
    let mut lines = rendered(&errors, look);
    let hidden = errors.len().saturating_sub(MAX_DIAGNOSTICS);
    let rest = [(hidden, "more error"), (warnings.len(), "warning")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| count(n, what))
        .collect::<Vec<_>>();
    if !rest.is_empty() {
        join(&mut lines, vec![format!("  and {}", rest.join(" and "))]);
    }
    lines
}

fn tells(diagnostic: &Diagnostic) -> bool {
    let noise = [
        "aborting due to",
        "Some errors have detailed",
        "For more information about",
    ];
    !noise
        .iter()
        .any(|start| diagnostic.message.starts_with(start))
        && diagnostic.level != "failure-note"
}

fn rendered(diagnostics: &[&Diagnostic], look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let text = look.foreign(diagnostic.rendered.trim_end());
        join(&mut lines, text.lines().map(str::to_owned).collect());
    }
    lines
}

pub(super) fn warnings(judged: &Judged, look: &Look) -> Vec<String> {
    let told: Vec<&Diagnostic> = judged
        .warnings
        .iter()
        .filter(|diagnostic| tells(diagnostic))
        .collect();
    // Beside a failure a warning is a distraction, unless it is all there is to say.
    if judged.verdict.passed() {
        rendered(&told, look)
    } else {
        Vec::new()
    }
}

/// Panics that were caught on the way and are not the verdict itself.
pub(super) fn swallowed(judged: &Judged, source: &str, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for panic in &judged.swallowed {
        let text = format!("{}: {}", caught(panic.on), shown(&plain(&panic.message)));
        let mut part = look.wrap(&text, "  ", "  ");
        // The verdict's own excerpt may have quoted the same line.
        if !panic.at.is_empty() && panic.at.first() != judged.at.first() {
            part.extend(excerpt(&marks(&panic.at, "panics here"), source, look));
        } else if let (true, Some(origin)) = (panic.at.is_empty(), &panic.origin) {
            part.push(format!("  at {}", look.place(origin)));
        }
        join(&mut lines, part);
    }
    lines
}

/// Appends a part, with an empty line between.
fn join(lines: &mut Vec<String>, part: Vec<String>) {
    if !lines.is_empty() && !part.is_empty() {
        lines.push(String::new());
    }
    lines.extend(part);
}
