//! An incident as text: the table, the slow-poll alarm, and the timeline.

use std::collections::BTreeMap;
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use super::paint::{Look, Tone};
use super::words;
use crate::core::incident::{Lane, Shape, Turn, Word, lanes, rows};
use crate::core::record::Timeline;

mod html;
mod markdown;

pub use html::page as incident_page;
pub use markdown::markdown as incident_markdown;

/// Below this a figure of each turn does not fit beside the others.
const COLUMN: usize = 18;
const LABEL: usize = 24;
/// Slow polls that are told one by one.
const MOST_ALARMS: usize = 3;

/// `slow`: the alarm's threshold.
pub fn incident_text(
    title: &str,
    story: &str,
    turns: &[Turn],
    slow: Duration,
    look: &Look,
) -> Vec<String> {
    let mut lines = vec![look.paint(Tone::Strong, title)];
    lines.extend(look.wrap(story, "", ""));
    lines.push(String::new());
    lines.extend(table(turns, look));
    lines.push(String::new());
    for turn in turns {
        lines.extend(ending(turn, look));
    }
    lines.extend(alarms(turns, slow, look));
    lines.extend(cost(turns, look));
    let drawn = timelines(turns, slow, look);
    if !drawn.is_empty() {
        lines.push(String::new());
        lines.extend(drawn);
    }
    lines
}

fn table(turns: &[Turn], look: &Look) -> Vec<String> {
    let fits = LABEL + COLUMN * turns.len() <= look.width;
    let rows = rows(turns);
    let mut lines = Vec::new();
    if fits {
        let wide = ((look.width - LABEL) / turns.len()).min(34);
        let head = turns.iter().map(|turn| pad(&turn.title, wide));
        let head = format!("{}{}", pad("", LABEL), head.collect::<String>());
        lines.push(look.paint(Tone::Strong, head.trim_end()));
        for row in rows {
            lines.extend(beside(&row.name, &row.cells, wide, look));
        }
    } else {
        for row in rows {
            lines.push(look.paint(Tone::Strong, &row.name));
            for (turn, (figure, word)) in turns.iter().zip(&row.cells) {
                let word = word.as_ref().map(|word| format!("  {}", said(word, look)));
                lines.push(format!(
                    "  {}{figure}{}",
                    pad(&turn.title, 14),
                    word.unwrap_or_default()
                ));
            }
        }
    }
    lines
}

/// The figure, and below it what it is against the first.
fn beside(name: &str, cells: &[(String, Option<Word>)], wide: usize, look: &Look) -> Vec<String> {
    let mut figures = pad(name, LABEL);
    let mut words = pad("", LABEL);
    let mut any = false;
    for (figure, word) in cells {
        figures.push_str(&pad(figure, wide));
        let plain = word.as_ref().map(Word::said).unwrap_or_default();
        let room = " ".repeat(wide.saturating_sub(plain.width()));
        if let Some(word) = word.as_ref().filter(|word| **word != Word::Same) {
            any = true;
            words.push_str(&said(word, look));
        } else {
            words.push_str(&" ".repeat(plain.width()));
        }
        words.push_str(&room);
    }
    let mut lines = vec![figures.trim_end().to_owned()];
    if any {
        lines.push(words.trim_end().to_owned());
    }
    lines
}

fn said(word: &Word, look: &Look) -> String {
    let tone = match word {
        Word::Same => Tone::Quiet,
        Word::Better(_) => Tone::Good,
        Word::Worse(_) => Tone::Bad,
    };
    look.paint(tone, &word.said())
}

/// Longer text is cut, so that columns stay columns.
fn pad(text: &str, wide: usize) -> String {
    let mut kept = String::new();
    for c in text.chars() {
        if kept.width() + 2 > wide.max(2) {
            break;
        }
        kept.push(c);
    }
    let room = wide.saturating_sub(kept.width());
    kept + &" ".repeat(room)
}

/// What the table cannot say: how a turn ended that did not come to its end, and what its panics said.
fn ending(turn: &Turn, look: &Look) -> Vec<String> {
    let first = format!("{}: ", turn.title);
    let mut lines = Vec::new();
    if !turn.judged.verdict.passed() {
        let text = format!(
            "{}. {}",
            words::title(&turn.judged.verdict),
            turn.judged.message
        );
        lines.extend(look.wrap(&text, &first, "  "));
        if let Some(place) = turn.judged.at.first() {
            lines.push(format!("  at {}", look.place(place)));
        }
    }
    for (message, place) in turn.panics.iter().take(1) {
        let panicked = turn.figures.as_ref().map_or(0, |figures| figures.panicked);
        let how_many = match panicked {
            0 => "a task panicked".to_owned(),
            1 => "one request ended in a panic".to_owned(),
            n => format!("{n} requests ended in a panic"),
        };
        lines.extend(look.wrap(&format!("{how_many}: \"{message}\""), &first, "  "));
        lines.extend(
            place
                .as_ref()
                .map(|place| format!("  at {}", look.place(place))),
        );
    }
    lines
}

/// The slow-poll alarm, as asyncio's debug mode has one.
fn alarms(turns: &[Turn], slow: Duration, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for turn in turns {
        let Some(observed) = &turn.observed else {
            continue;
        };
        let slow_polls = slow_polls(&observed.timeline, slow);
        if slow_polls.is_empty() {
            continue;
        }
        let all: usize = slow_polls.values().map(|(count, _)| count).sum();
        let text = format!(
            "{all} {} of {} ms or more",
            if all == 1 { "poll" } else { "polls" },
            slow.as_millis()
        );
        lines.extend(look.wrap(&text, &format!("{}: ", turn.title), "  "));
        for (what, (count, longest)) in slow_polls.iter().take(MOST_ALARMS) {
            let ms = longest / 1000;
            let text = format!("{what}: {count}, the longest held its thread for {ms} ms");
            lines.extend(look.wrap(&text, "  ", "    "));
        }
    }
    lines
}

/// By what was polled: how often, and the longest in microseconds.
fn slow_polls(timeline: &Timeline, slow: Duration) -> BTreeMap<String, (usize, u64)> {
    let mut found: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for &(task, _, from, to) in &timeline.polls {
        if Duration::from_micros(to - from) < slow {
            continue;
        }
        let what = timeline.tasks.get(task).map_or_else(
            || "a task".to_owned(),
            |task| match (&task.spawned, &task.name) {
                (Some(place), _) => {
                    format!("the task spawned at {}:{}", place.file, place.line)
                }
                (None, Some(name)) => name.clone(),
                (None, None) => "a task of a library".to_owned(),
            },
        );
        let entry = found.entry(what).or_default();
        entry.0 += 1;
        entry.1 = entry.1.max(to - from);
    }
    found
}

/// What it costs to observe, as the two runs of each turn show it.
fn cost(turns: &[Turn], look: &Look) -> Vec<String> {
    let costs: Vec<String> = turns
        .iter()
        .filter_map(|turn| {
            let without = turn.figures.as_ref()?.per_second?;
            let with = turn.observed.as_ref()?.per_second?;
            let change = (with / without - 1.0) * 100.0;
            Some(format!("{} {change:+.0} %", turn.title))
        })
        .collect();
    if costs.is_empty() {
        return Vec::new();
    }
    let text = format!(
        "Polls and the timeline come from a second, observed run; its requests a second against the first: {}.",
        costs.join(", ")
    );
    look.wrap(&text, "", "")
        .iter()
        .map(|line| look.paint(Tone::Quiet, line))
        .collect()
}

/// One under the other, on one time axis.
fn timelines(turns: &[Turn], slow: Duration, look: &Look) -> Vec<String> {
    let seen: Vec<(&Turn, &Timeline)> = turns
        .iter()
        .filter_map(|turn| Some((turn, &turn.observed.as_ref()?.timeline)))
        .collect();
    let span = seen.iter().map(|(_, timeline)| timeline.until).max();
    let Some(span) = span.filter(|span| *span > 0) else {
        return Vec::new();
    };
    let cells = look.width.saturating_sub(LABEL + 1).max(10);
    let mut lines = Vec::new();
    for (turn, timeline) in seen {
        lines.push(look.paint(Tone::Strong, &turn.title));
        for lane in lanes(timeline, slow) {
            lines.push(format!(
                "{} {}",
                pad(&lane.label, LABEL),
                raster(&lane, span, cells).trim_end()
            ));
        }
    }
    let end = format!("{} ms", span / 1000);
    let room = cells.saturating_sub(end.len() + 1);
    lines.push(format!("{} 0{}{end}", pad("", LABEL), " ".repeat(room)));
    // No sign is parted from its word.
    let signs = Shape::ALL.map(|shape| format!("{} {}", shape.sign(), shape.word()));
    let legend = signs.map(|sign| sign.replace(' ', "\u{a0}")).join("  ");
    lines.extend(look.wrap(&legend, "", ""));
    lines
}

/// What matters most of what happened in each cell's stretch of time.
fn raster(lane: &Lane, span: u64, cells: usize) -> String {
    let mut shown: Vec<Option<Shape>> = vec![None; cells];
    let cell = |at: u64| (at as u128 * cells as u128 / (span as u128 + 1)) as usize;
    for segment in &lane.segments {
        for slot in &mut shown[cell(segment.from).min(cells - 1)..=cell(segment.to).min(cells - 1)]
        {
            *slot = (*slot).max(Some(segment.shape));
        }
    }
    shown
        .into_iter()
        .map(|shape| shape.map_or(' ', Shape::sign))
        .collect()
}
