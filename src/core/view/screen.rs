//! Watch mode's screen: where you are, what was found, what the keys do.

use super::advice::direction;
use super::compare::{comparison, no_difference};
use super::fit::fit;
use super::listing::hint_text;
use super::page::{Reveal, explanation};
use super::paint::{Look, Tone, columns, plain};
use super::scrolled::scrolled;
use super::table::draw_list;
use super::verdict_lines;
use crate::core::session::{Found, JobKind, Lab, Screen, Session};

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
    let head = fit(&header(session, look), look.width);
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

fn header(session: &Session, look: &Look) -> Vec<String> {
    let Some(exercise) = session.exercise() else {
        return vec!["asynclings".to_owned()];
    };
    let total = session.manifest.exercises.len();
    let done = session.progress.done(&session.manifest);
    let filled = done * 10 / total.max(1);
    let bar = format!(
        "[{}{}] {done} of {total} done",
        "#".repeat(filled),
        "-".repeat(10 - filled)
    );
    let chapter = session
        .manifest
        .chapter(&exercise.chapter)
        .map_or("", |chapter| chapter.title.as_str());
    let left = format!("{} · {}", exercise.name, exercise.title);
    let right = format!("{chapter} · {} min · {bar}", exercise.minutes);
    let place = look.link(session.file(), session.file());
    let gap = look.width.saturating_sub(columns(&left) + columns(&bar));
    let gap_all = look.width.saturating_sub(columns(&left) + columns(&right));
    let first = match (gap_all, gap) {
        (0..2, 0..2) => format!("{}  {bar}", look.paint(Tone::Strong, &exercise.name)),
        (0..2, gap) => format!(
            "{}{}{bar}",
            look.paint(Tone::Strong, &left),
            " ".repeat(gap)
        ),
        (gap, _) => format!(
            "{}{}{right}",
            look.paint(Tone::Strong, &left),
            " ".repeat(gap)
        ),
    };
    vec![first, look.paint(Tone::Note, &place), String::new()]
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
        _ if session.gone => look.wrap(
            &format!("{} is gone. Put it back and it is checked by itself, or press x for the one that was shipped.", session.file()),
            "! ",
            "  ",
        ),
        (_, Lab::Failed(why)) => trouble("the lab could not be prepared", why, look),
        (Some(Found::Trouble(why)), _) => trouble("no verdict, and not because of your code", why, look),
        (Some(Found::Verdict(checked)), _) => verdict_lines(&checked.judged, &checked.source, look),
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

fn trouble(what: &str, why: &str, look: &Look) -> Vec<String> {
    let mut lines = vec![format!("{} {what}", look.paint(Tone::Bad, "!"))];
    lines.extend(
        why.lines()
            .flat_map(|line| look.wrap(&super::legible(line), "  ", "  ")),
    );
    lines
}

fn welcome(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = vec![look.paint(Tone::Strong, "Welcome to asynclings.")];
    let what = "Each exercise is a small Tokio program with one production fault in it: a hang, a lost panic, a leak.";
    lines.extend(look.wrap(what, "", ""));
    let open = format!(
        "Open {} in your editor, and read its header.",
        session.file()
    );
    for (n, text) in [
        open.as_str(),
        "Mend it and save. It is compiled and checked at once, and the verdict names the line at fault.",
        "Once it has passed, press n. h hints, e explains, m runs the program itself.",
    ]
    .into_iter()
    .enumerate()
    {
        lines.extend(look.wrap(text, &format!("  {}. ", n + 1), "     "));
    }
    lines.push(String::new());
    lines
}

fn finished(session: &Session, look: &Look) -> Vec<String> {
    let total = session.manifest.exercises.len();
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
    let total = session.manifest.exercises.len();
    let mut lines = vec![
        format!("checked {} of {total}", session.all.len()),
        String::new(),
    ];
    let mut results: Vec<_> = session.all.iter().collect();
    results.sort_by_key(|(exercise, _)| *exercise);
    for (exercise, result) in results {
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
        lines.extend(look.wrap(
            &format!("{name}: {words}"),
            &format!("  {} ", look.paint(tone, sign)),
            "    ",
        ));
    }
    if session.all.len() == total {
        let passed = session.all.iter().filter(|(_, r)| *r == Ok("passed"));
        lines.push(String::new());
        lines.push(format!("{} of {total} passed", passed.count()));
    }
    lines
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

fn page(session: &Session, look: &Look) -> Vec<String> {
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

fn solution(session: &Session, look: &Look) -> Vec<String> {
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

fn footer(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = vec![String::new()];
    if let Some(why) = &session.polling {
        let text = format!("files are looked at twice a second: {why}");
        lines.extend(
            look.wrap(&text, "", "")
                .iter()
                .map(|line| look.paint(Tone::Quiet, line)),
        );
    }
    lines.extend(
        session
            .notice
            .iter()
            .flat_map(|notice| look.wrap(notice, "! ", "  ")),
    );
    lines.extend(status(session, look));
    lines.extend(keys(session, look));
    lines
}

fn status(session: &Session, look: &Look) -> Vec<String> {
    if session.asked {
        let text = format!(
            "reset {} to how it was shipped? Your text is kept aside.",
            session.file()
        );
        return look.wrap(&text, "? ", "  ");
    }
    let doing = match (&session.lab, session.job.as_ref().map(|job| job.kind)) {
        (Lab::Preparing(what), _) => what.as_str(),
        (_, Some(JobKind::Check)) => "checking",
        (_, Some(JobKind::All)) => "checking all",
        (_, Some(JobKind::Main)) => "running its main",
        (_, None) => return rest(session, look),
    };
    let spinner = ["|", "/", "-", "\\"][(session.elapsed.as_millis() / 100 % 4) as usize];
    look.wrap(
        &format!("{doing} {:.1} s", session.elapsed.as_secs_f32()),
        &format!("{spinner} "),
        "  ",
    )
}

/// Nothing runs: what the learner can do next.
fn rest(session: &Session, look: &Look) -> Vec<String> {
    match (&session.found, session.screen) {
        (_, Screen::Main | Screen::List | Screen::All | Screen::Page | Screen::Solution) => {
            vec!["Esc goes back to the exercise".to_owned()]
        }
        _ if session.finished || session.gone => Vec::new(),
        (_, _) if matches!(session.lab, Lab::Failed(_)) => vec!["r tries again".to_owned()],
        (Some(Found::Verdict(checked)), _) if checked.judged.verdict.passed() => passed(look),
        (Some(Found::Verdict(checked)), _) => look.wrap(
            &format!("{}; h gives a hint", direction(&checked.judged.verdict)),
            "next: ",
            "      ",
        ),
        (Some(Found::Trouble(_)), _) => vec!["r runs it again".to_owned()],
        (None, _) => Vec::new(),
    }
}

fn passed(look: &Look) -> Vec<String> {
    let mut lines = vec![look.paint(Tone::Good, "passed, press n for the next exercise")];
    let more = "d shows our fix beside yours; e explains it all";
    lines.extend(look.wrap(more, "", ""));
    lines
}

const KEYS: [(&str, &str); 10] = [
    ("n", "next"),
    ("p", "back"),
    ("r", "run"),
    ("h", "hint"),
    ("e", "explain"),
    ("l", "list"),
    ("c", "all"),
    ("x", "reset"),
    ("m", "main"),
    ("q", "quit"),
];

fn keys(session: &Session, look: &Look) -> Vec<String> {
    if session.asked {
        return vec!["y yes  n no".to_owned()];
    }
    // Wrapped as plain words first: textwrap keeps a key and its name together by the no-break space.
    let plain: Vec<String> = KEYS
        .iter()
        .map(|(key, word)| format!("{key}\u{a0}{}", word.replace(' ', "\u{a0}")))
        .collect();
    let words = plain.join("  ");
    let rows = textwrap::wrap(&words, look.width.max(20));
    rows.iter()
        .map(|row| look.paint(Tone::Quiet, &row.replace('\u{a0}', " ")))
        .collect()
}
