//! The checks as a list of sentences, and what a failing one printed.

use super::paint::{Look, Tone, columns, plain, shown};
use super::words::{sentence, title};
use crate::core::verdict::{CheckOutcome, Judged};

/// Lines of a check's output that are shown: the end, where the trouble is.
const MAX_OUTPUT: usize = 12;

pub(super) fn list(judged: &Judged, look: &Look) -> Vec<String> {
    let wide = judged
        .checks
        .iter()
        .map(|check| columns(title(&check.verdict)))
        .max()
        .unwrap_or(0);
    judged
        .checks
        .iter()
        .flat_map(|check| entry(check, judged, wide, look))
        .collect()
}

/// `✗ hung (waiting)  a transfer ends`, and why, unless the headline said the same of the first failing check.
fn entry(check: &CheckOutcome, judged: &Judged, wide: usize, look: &Look) -> Vec<String> {
    let (sign, tone) = if check.verdict.passed() {
        ("✓", Tone::Good)
    } else {
        ("✗", Tone::Bad)
    };
    let label = format!("{sign} {:wide$}", title(&check.verdict));
    let indent = " ".repeat(wide + 6);
    let mut lines = look.wrap(&sentence(&check.name), &format!("  {label}  "), &indent);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(&label, &look.paint(tone, &label), 1);
    }
    let said = check.message == judged.message && check.at.first() == judged.at.first();
    if !said && !check.message.is_empty() {
        let why = look.wrap(&shown(&plain(&check.message)), &indent, &indent);
        lines.extend(why.iter().map(|line| look.paint(Tone::Quiet, line)));
        lines.extend(
            check
                .at
                .first()
                .map(|place| format!("{indent}{}", look.place(place))),
        );
    }
    lines
}

pub(super) fn output(judged: &Judged, look: &Look) -> Vec<String> {
    let Some(check) = judged.failing() else {
        return Vec::new();
    };
    let text = plain(&check.output);
    let all: Vec<&str> = text.trim_end().lines().collect();
    if text.trim().is_empty() {
        return Vec::new();
    }
    let hidden = all.len().saturating_sub(MAX_OUTPUT);
    let head = match hidden {
        0 => "  it printed:".to_owned(),
        n => format!("  it printed ({n} lines before these):"),
    };
    let mut lines = vec![look.paint(Tone::Quiet, &head)];
    for line in &all[hidden..] {
        let (cut, rest) = cut(&shown(line), look.width.saturating_sub(5));
        lines.push(format!(
            "  {} {cut}{}",
            look.paint(Tone::Quiet, "|"),
            if rest { "…" } else { "" }
        ));
    }
    lines
}

fn cut(line: &str, room: usize) -> (String, bool) {
    let mut used = 0;
    let cut: String = line
        .chars()
        .take_while(|c| {
            used += columns(c.encode_utf8(&mut [0; 4]));
            used <= room
        })
        .collect();
    let rest = cut.len() < line.len();
    (cut, rest)
}
