//! The foot of watch mode's screen: what goes on, what the learner is asked, what to do next, and the keys.

use super::advice::direction;
use super::keys::key_rows;
use super::paint::{Look, Tone};
use crate::core::session::{Found, Going, JobKind, Lab, Screen, Session, Stage};

/// Below so many rows only the keys that a learner needs most are named.
pub(super) const LOW: usize = 20;

/// Keys and their words, as they are named to learners.
pub(in crate::core) const KEYS: [(&str, &str); 14] = [
    ("n", "next"),
    ("p", "back"),
    ("r", "run"),
    ("h", "hint"),
    ("e", "explain"),
    ("o", "editor"),
    ("g", "goto"),
    ("l", "list"),
    ("d", "solution"),
    ("c", "all"),
    ("x", "reset"),
    ("u", "undo"),
    ("m", "main"),
    ("q", "quit"),
];
const FEW_KEYS: [(&str, &str); 7] = [
    ("n", "next"),
    ("r", "run"),
    ("h", "hint"),
    ("g", "goto"),
    ("o", "editor"),
    ("?", "all keys"),
    ("q", "quit"),
];

pub(super) fn footer(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = vec![String::new()];
    if let Some(why) = &session.polling {
        let text = look.wrap(&polling(why), "", "");
        lines.extend(text.iter().map(|line| look.paint(Tone::Quiet, line)));
    }
    lines.extend(
        session
            .notice
            .iter()
            .flat_map(|notice| look.wrap(notice, "! ", "  ")),
    );
    match &session.going {
        Some(going) => lines.extend(prompt(session, going, look)),
        None => lines.extend(status(session, look)),
    }
    lines.extend(keys(session, look));
    lines
}

pub(super) fn polling(why: &str) -> String {
    format!("files are looked at twice a second: {why}")
}

fn status(session: &Session, look: &Look) -> Vec<String> {
    if session.asked {
        return look.wrap(&question(session), "? ", "  ");
    }
    let doing = match (&session.lab, session.job.as_ref()) {
        (Lab::Preparing(what), _) => what.as_str(),
        (_, Some(job)) => match (job.kind, job.stage) {
            (JobKind::Check, Stage::Compiling) => "checking: compiling",
            (JobKind::Check, Stage::Running) => "checking: running its checks",
            (JobKind::All, _) => "checking all",
            (JobKind::Main, _) => "running its main",
        },
        (_, None) => return rest(session, look),
    };
    let spinner = ["|", "/", "-", "\\"][(session.elapsed.as_millis() / 100 % 4) as usize];
    // Without colour nothing else tells an old verdict from a new one.
    let old = match session.found {
        Some(_) if session.is_checking() && session.screen == Screen::Exercise => {
            "; above is the verdict before"
        }
        _ => "",
    };
    let text = format!("{doing} {:.1} s{old}", session.elapsed.as_secs_f32());
    look.wrap(&text, &format!("{spinner} "), "  ")
}

pub(super) fn question(session: &Session) -> String {
    reset_question(session.file())
}

/// `what`: an exercise, or its file.
pub(in crate::core) fn reset_question(what: &str) -> String {
    format!("reset {what} to how it was shipped? Your text is kept aside.")
}

/// What was typed, and what it may mean.
fn prompt(session: &Session, going: &Going, look: &Look) -> Vec<String> {
    let mut lines = vec![format!("go to: {}_", super::legible(&going.typed))];
    let matches = session.matches();
    if matches.is_empty() {
        lines.push("  no exercise has that in its name".to_owned());
        return lines;
    }
    // The chosen one is always among those that are shown.
    let room = (session.size().1 / 4).clamp(1, 8);
    let from = (going.chosen + 1).saturating_sub(room);
    for (at, &exercise) in matches.iter().enumerate().skip(from).take(room) {
        let sign = if at == going.chosen { ">" } else { " " };
        let line: String = format!("  {sign} {}", named(session, exercise))
            .chars()
            .take(look.width)
            .collect();
        lines.push(if at == going.chosen {
            look.paint(Tone::Strong, &line)
        } else {
            line
        });
    }
    let hidden = matches.len() - matches.len().min(room);
    if hidden > 0 {
        lines.push(look.paint(Tone::Quiet, &format!("    and {hidden} more")));
    }
    lines
}

/// `✓ 12 self_deadlock · The transfer that waits for itself`
pub(super) fn named(session: &Session, exercise: usize) -> String {
    let Some(subject) = session.manifest.exercises.get(exercise) else {
        return String::new();
    };
    let done = session.progress.is_done(&subject.name);
    let closed = session.closed(exercise).is_some();
    format!(
        "{} {:>2} {} · {}",
        match (done, closed) {
            (true, _) => "✓",
            (false, true) => "#",
            (false, false) => " ",
        },
        exercise + 1,
        subject.name,
        subject.title
    )
}

/// Nothing runs: what the learner can do next.
fn rest(session: &Session, look: &Look) -> Vec<String> {
    match session.screen {
        Screen::Main | Screen::List | Screen::All | Screen::Page | Screen::Solution => {
            vec!["Esc goes back to the exercise".to_owned()]
        }
        Screen::Exercise => next(session, look),
    }
}

/// Of the exercise shown.
pub(super) fn next(session: &Session, look: &Look) -> Vec<String> {
    match &session.found {
        _ if session.finished || session.gone => Vec::new(),
        _ if matches!(session.lab, Lab::Failed(_)) => vec!["r tries again".to_owned()],
        Some(Found::Verdict(checked)) if checked.judged.verdict.passed() => passed(look),
        Some(Found::Verdict(checked)) => look.wrap(
            &format!("{}; h gives a hint", direction(&checked.judged.verdict)),
            "next: ",
            "      ",
        ),
        Some(Found::Trouble(_)) => vec!["r runs it again".to_owned()],
        None => Vec::new(),
    }
}

fn passed(look: &Look) -> Vec<String> {
    let mut lines = vec![look.paint(Tone::Good, "passed, press n for the next exercise")];
    let more = "d shows our fix beside yours; e explains it all";
    lines.extend(look.wrap(more, "", ""));
    lines
}

/// All keys, as a sentence names them.
pub(in crate::core) fn key_words() -> String {
    let words: Vec<_> = KEYS
        .iter()
        .map(|(key, word)| format!("{key} {word}"))
        .collect();
    words.join(", ")
}

fn keys(session: &Session, look: &Look) -> Vec<String> {
    if session.asked {
        return vec!["y yes  n no".to_owned()];
    }
    if session.going.is_some() {
        return vec![look.paint(Tone::Quiet, "Tab completes  Enter goes  Esc leaves")];
    }
    let keys: &[(&str, &str)] = if session.size().1 < LOW {
        &FEW_KEYS
    } else {
        &KEYS
    };
    let rows = key_rows(keys, look.width);
    rows.iter()
        .map(|row| look.paint(Tone::Quiet, row))
        .collect()
}
