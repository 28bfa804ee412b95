//! Watch mode's screen: where you are, what was found, what the keys do.

use super::compare::{comparison, no_difference};
use super::fit::fit;
use super::foot::{LOW, footer};
use super::head::header;
use super::listing::hint_text;
use super::page::{Reveal, explanation};
use super::paint::{Look, Tone, plain};
use super::scrolled::scrolled;
use super::table::draw_list;
use super::verdict_lines;
use crate::core::session::{Found, Lab, Screen, Session};

/// A frame: at most as many rows as the terminal has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    pub rows: Vec<String>,
    /// How far the body can be scrolled.
    pub most: usize,
}

/// Draws the session for its size; `look.width` is the terminal's.
pub fn draw(session: &Session, look: &Look) -> Drawn {
    if session.screen == Screen::List {
        return draw_list(&session.list, &session.facts(), look);
    }
    let height = session.size().1.max(3);
    let mut head = fit(&header(session, look), look.width);
    if height >= LOW {
        head.push(String::new());
    }
    let foot = fit(&footer(session, look), look.width);
    let body = fit(&body(session, look), look.width);
    // On a low screen the foot, which names the keys, goes before the head.
    let foot = &foot[..foot.len().min(height - 1)];
    let head = &head[..head.len().min((height - foot.len()).saturating_sub(4))];
    let room = height - foot.len() - head.len();
    let most = body.len().saturating_sub(room);
    // Of output the end counts, and scrolling goes back from there; of a verdict the beginning.
    let at = match session.screen {
        Screen::Main => most - session.scroll.min(most),
        _ => session.scroll.min(most),
    };
    let shown = scrolled(&body, at, room, look);
    Drawn {
        rows: [head, &shown, foot].concat(),
        most,
    }
}

fn body(session: &Session, look: &Look) -> Vec<String> {
    match session.screen {
        // It fills the screen by itself.
        Screen::List => Vec::new(),
        Screen::All => all(session, look),
        Screen::Main => main_output(session, look),
        Screen::Page => page(session, look),
        Screen::Solution => solution(session, look),
        Screen::Exercise if session.finished => finished(session, look),
        Screen::Exercise => exercise(session, look),
    }
}

fn exercise(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    if session.welcome {
        lines.extend(welcome(session, look));
    }
    for level in 1..=session.hints {
        lines.extend(
            session
                .exercise()
                .into_iter()
                .flat_map(|exercise| hint_text(exercise, level, look)),
        );
        lines.push(String::new());
    }
    lines.extend(match (&session.found, &session.lab) {
        _ if session.gone => gone(session, look),
        (_, Lab::Failed(why)) => no_lab(why, look),
        (Some(found), _) => findings(found, look),
        (None, _) => Vec::new(),
    });
    if session.is_checking() && session.found.is_some() {
        // The old verdict stays, as old, until the new one is there: no flicker.
        let old = lines
            .iter()
            .map(|line| look.paint(Tone::Quiet, &plain(line)));
        return old.collect();
    }
    lines
}

pub(super) fn gone(session: &Session, look: &Look) -> Vec<String> {
    let text = format!(
        "{} is gone. Put it back and it is checked by itself, or press x for the one that was shipped.",
        session.file()
    );
    look.wrap(&text, "! ", "  ")
}

pub(super) fn no_lab(why: &str, look: &Look) -> Vec<String> {
    trouble("the lab could not be prepared", why, look)
}

pub(super) fn findings(found: &Found, look: &Look) -> Vec<String> {
    match found {
        Found::Verdict(checked) => verdict_lines(&checked.judged, &checked.source, look),
        Found::Trouble(why) => trouble("no verdict, and not because of your code", why, look),
    }
}

fn trouble(what: &str, why: &str, look: &Look) -> Vec<String> {
    let mut lines = vec![format!("{} {what}", look.paint(Tone::Bad, "!"))];
    lines.extend(
        why.lines()
            .flat_map(|line| look.wrap(&super::legible(line), "  ", "  ")),
    );
    lines
}

pub(super) fn welcome(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = vec![look.paint(Tone::Strong, "Welcome to asynclings.")];
    let what = "Each exercise is a small Tokio program with one fault from production.";
    lines.extend(look.wrap(what, "", ""));
    let open = format!("Open {} (o does) and read its header.", session.file());
    for (n, text) in [
        open.as_str(),
        "Mend it and save: it is checked, and the verdict names the line at fault.",
        "Once it has passed, n goes on. h hints, e explains, m runs the program itself.",
    ]
    .into_iter()
    .enumerate()
    {
        lines.extend(look.wrap(text, &format!("  {}. ", n + 1), "     "));
    }
    lines.push(String::new());
    lines
}

pub(super) fn finished(session: &Session, look: &Look) -> Vec<String> {
    let total = session.manifest.exercises.len();
    let mut closed = (0..total).filter_map(|exercise| session.closed(exercise));
    if let Some(first) = closed.next() {
        let mut lines = vec![
            look.paint(Tone::Good, "✓ all that is open is done"),
            String::new(),
        ];
        let others = match closed.count() {
            0 => String::new(),
            n => format!("; {n} more are closed as well"),
        };
        lines.extend(look.wrap(&format!("{first}{others}."), "  ", "  "));
        return lines;
    }
    let mut lines = vec![
        look.paint(Tone::Good, "✓ the workbook is done"),
        String::new(),
    ];
    let text = format!(
        "All {total} exercises have passed. What they taught holds wherever async Rust runs: thank you for working through them."
    );
    lines.extend(look.wrap(&text, "  ", "  "));
    lines
}

fn all(session: &Session, look: &Look) -> Vec<String> {
    let all = 0..session.manifest.exercises.len();
    let total = all
        .filter(|exercise| session.closed(*exercise).is_none())
        .count();
    let mut lines = vec![
        format!("checked {} of {total}", session.all.len()),
        String::new(),
    ];
    let mut results: Vec<_> = session.all.iter().collect();
    results.sort_by_key(|(exercise, _)| *exercise);
    lines.extend(
        results
            .into_iter()
            .flat_map(|result| one_of_all(session, result, look)),
    );
    if session.all.len() == total {
        lines.push(String::new());
        lines.push(all_passed(session));
    }
    lines
}

pub(super) fn one_of_all(
    session: &Session,
    (exercise, result): &(usize, Result<&'static str, String>),
    look: &Look,
) -> Vec<String> {
    let name = session
        .manifest
        .exercises
        .get(*exercise)
        .map_or("", |exercise| exercise.name.as_str());
    let (sign, tone, words) = match result {
        Ok("passed") => ("✓", Tone::Good, "passed"),
        Ok("skipped") => ("-", Tone::Note, "skipped"),
        Ok(outcome) => ("✗", Tone::Bad, *outcome),
        Err(why) => ("!", Tone::Bad, why.as_str()),
    };
    let sign = format!("  {} ", look.paint(tone, sign));
    look.wrap(&format!("{name}: {words}"), &sign, "    ")
}

pub(super) fn all_passed(session: &Session) -> String {
    let passed = session.all.iter().filter(|(_, r)| *r == Ok("passed"));
    let total = session.manifest.exercises.len();
    format!("{} of {total} passed", passed.count())
}

fn main_output(session: &Session, look: &Look) -> Vec<String> {
    let run = &session.main;
    let mut lines = vec![look.paint(Tone::Quiet, "what its main prints:")];
    if run.dropped > 0 {
        lines.push(look.paint(
            Tone::Quiet,
            &format!("  ({} lines before these)", run.dropped),
        ));
    }
    let kept = run
        .lines
        .iter()
        .enumerate()
        .filter(|(n, line)| *n + 1 < run.lines.len() || !line.is_empty());
    lines.extend(kept.map(|(_, line)| format!("  {line}")));
    if let Some(end) = &run.end {
        lines.push(String::new());
        lines.extend(look.wrap(end, "  ", "  "));
    }
    lines
}

pub(super) fn page(session: &Session, look: &Look) -> Vec<String> {
    let Some(exercise) = session.exercise() else {
        return Vec::new();
    };
    let reveal = match session.progress.of(&exercise.name).first_pass {
        Some(_) => Reveal::All,
        None => Reveal::UpToTheFix,
    };
    match &session.page {
        Some(Ok(page)) => explanation(&exercise.name, page, reveal, look),
        Some(Err(why)) => look.wrap(&super::legible(why), "! ", "  "),
        None => Vec::new(),
    }
}

pub(super) fn solution(session: &Session, look: &Look) -> Vec<String> {
    let name = session.exercise().map_or("", |exercise| &exercise.name);
    match &session.compared {
        Some(Ok(pairs)) => match comparison(pairs, look) {
            lines if lines.is_empty() => vec![no_difference(name)],
            lines => lines,
        },
        Some(Err(why)) => look.wrap(&super::legible(why), "! ", "  "),
        None => Vec::new(),
    }
}
