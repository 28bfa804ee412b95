//! The table of exercises, and what is read over it: hints and pages.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{
    Cell, HighlightSpacing, Row as Cells, Scrollbar, ScrollbarOrientation, ScrollbarState,
    StatefulWidget, Table, TableState,
};

use super::cells::{dress, rows};
use super::fit::{cut, fit};
use super::listing::hint_text;
use super::page::{Reveal, explanation};
use super::paint::{Look, Tone};
use super::screen::Drawn;
use super::scrolled::scrolled;
use crate::core::list::{ABOVE, Facts, List, Row, Shows, Sort, State};

/// Columns of a title from which on it says something.
const TITLE: usize = 20;
/// Columns from which on the exercises' chapters have room, then what somebody did with them.
const CHAPTERS: usize = 100;
const RECORDS: usize = 130;

/// A frame of `facts.size`.
pub fn draw_list(list: &List, facts: &Facts, look: &Look) -> Drawn {
    match &list.shows {
        Shows::Hints(shown) => reading(list, facts, look, &hints(list, facts, *shown, look)),
        Shows::Page(page) => reading(list, facts, look, &self::page(list, facts, page, look)),
        Shows::Rows | Shows::Finding | Shows::Asking => Drawn {
            rows: rows(&table(list, facts), look),
            most: 0,
        },
    }
}

/// The same as cells.
pub(in crate::core) fn table(list: &List, facts: &Facts) -> Buffer {
    let (width, height) = (cells(facts.size.0.max(1)), cells(facts.size.1.max(3)));
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    let shown = list.rows(facts);
    let room = list.room(facts).min(usize::from(height) - ABOVE);
    let first = list.first_shown(&shown, room);
    let head = cut(&head(list, facts, shown.len()), facts.size.0);
    buffer.set_stringn(0, 0, head, width.into(), dress(Tone::Strong));
    let area = Rect::new(0, 1, width, cells(room + 1));
    if shown.is_empty() {
        let text = cut("  no exercise is like that; a shows all", facts.size.0);
        buffer.set_stringn(0, cells(ABOVE), text, width.into(), Style::new());
    } else {
        let selected = list.at(&shown).unwrap_or(0).saturating_sub(first);
        let mut state = TableState::new().with_selected(selected);
        let visible = shown.iter().skip(first).take(room);
        grid(visible, facts).render(area, &mut buffer, &mut state);
    }
    if shown.len() > room {
        let mut state = ScrollbarState::new(shown.len() - room)
            .position(first)
            .viewport_content_length(room);
        let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight).style(dress(Tone::Quiet));
        let rows = Rect::new(0, cells(ABOVE), width, cells(room));
        bar.render(rows, &mut buffer, &mut state);
    }
    foot(list, facts, room, &mut buffer);
    buffer
}

fn head(list: &List, facts: &Facts, shown: usize) -> String {
    let total = facts.manifest.exercises.len();
    let done = facts.progress.done(facts.manifest);
    let choice = &list.choice;
    let mut head = match shown == total {
        true => format!("{total} exercises, {done} done"),
        false => format!("{shown} of {total} exercises, {done} done"),
    };
    if let Some(wanted) = choice.state {
        head.push_str(&format!(" · {}", wanted.word()));
    }
    let chapter = choice
        .chapter
        .and_then(|at| facts.manifest.chapters.get(at));
    if let Some(chapter) = chapter {
        head.push_str(&format!(" · {}", chapter.id));
    }
    if let Some(track) = choice.track(facts) {
        head.push_str(&format!(" · {}", track.id));
    }
    if !choice.text.is_empty() {
        head.push_str(&format!(" · \"{}\"", choice.text));
    }
    if choice.sort != Sort::default() || choice.falling {
        let falling = if choice.falling { ", falling" } else { "" };
        head.push_str(&format!(" · by {}{falling}", choice.sort.word()));
    }
    head
}

/// Which columns there is room for.
struct Columns {
    widths: Vec<Constraint>,
    titles: Vec<Cell<'static>>,
    /// Columns for an exercise's title; it is drawn where there are some.
    room: Option<usize>,
    chapters: bool,
    records: bool,
}

impl Columns {
    fn of(facts: &Facts) -> Self {
        let width = facts.size.0;
        let exercises = &facts.manifest.exercises;
        let names = exercises.iter().map(|exercise| exercise.name.len());
        let ids = facts
            .manifest
            .chapters
            .iter()
            .map(|chapter| chapter.id.len());
        let mut lengths = vec![3, 9, names.max().unwrap_or(0).max(4), 3];
        let mut titles = vec![right("#"), "  state".into(), "name".into(), right("min")];
        let chapters = width >= CHAPTERS;
        if chapters {
            lengths.push(ids.max().unwrap_or(0).max(7));
            titles.push("chapter".into());
        }
        let records = width >= RECORDS;
        if records {
            lengths.extend([5, 5, 5]);
            titles.extend([right("level"), right("tries"), right("hints")]);
        }
        let mut widths: Vec<_> = lengths
            .iter()
            .map(|n| Constraint::Length(cells(*n)))
            .collect();
        // Taken already: the sign of the selected row, the columns with their gaps, the scroll bar.
        let taken = 2 + lengths.iter().map(|n| n + 1).sum::<usize>() + 2;
        let room = Some(width.saturating_sub(taken)).filter(|room| *room >= TITLE);
        if room.is_some() {
            widths.push(Constraint::Fill(1));
            titles.push("title".into());
        }
        // The last column is the scroll bar's.
        widths.push(Constraint::Length(1));
        Self {
            widths,
            titles,
            room,
            chapters,
            records,
        }
    }
}

fn grid<'a>(rows: impl Iterator<Item = &'a Row<'a>>, facts: &Facts<'a>) -> Table<'a> {
    let columns = Columns::of(facts);
    let rows: Vec<_> = rows.map(|row| cells_of(row, facts, &columns)).collect();
    Table::new(rows, columns.widths)
        .header(Cells::new(columns.titles).style(dress(Tone::Quiet)))
        .column_spacing(1)
        .highlight_symbol("> ")
        .highlight_spacing(HighlightSpacing::Always)
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
}

fn cells_of<'a>(row: &Row<'a>, facts: &Facts, columns: &Columns) -> Cells<'a> {
    let exercise = row.exercise;
    let (sign, tone) = match row.state {
        State::Done => ("✓", Some(Tone::Good)),
        State::Tried => ("~", Some(Tone::Note)),
        State::Skipped => ("»", Some(Tone::Quiet)),
        State::Closed => ("#", Some(Tone::Quiet)),
        State::Open => (" ", None),
    };
    // Where they are is said by a sign as well, beside the number.
    let here = if row.index == facts.current { "*" } else { "" };
    let state = Cell::new(format!("{sign} {}", row.state.word()));
    let mut cells = vec![
        right(format!("{here}{}", row.index + 1)),
        state.style(tone.map_or(Style::new(), dress)),
        exercise.name.as_str().into(),
        right(exercise.minutes.to_string()),
    ];
    if columns.chapters {
        cells.push(exercise.chapter.as_str().into());
    }
    if columns.records {
        cells.push(right(exercise.difficulty.to_string()));
        cells.push(right(row.record.attempts.to_string()));
        cells.push(right(row.record.hints.to_string()));
    }
    if let Some(room) = columns.room {
        cells.push(cut(&exercise.title, room).into());
    }
    Cells::new(cells)
}

fn foot(list: &List, facts: &Facts, room: usize, buffer: &mut Buffer) {
    let words = list.words(facts);
    let words = words.iter().map(|line| (line, Style::new()));
    let keys = list.keys(facts);
    let keys = keys.iter().map(|line| (line, dress(Tone::Quiet)));
    let below = ABOVE + room..usize::from(buffer.area.height);
    for (y, (line, style)) in below.zip(words.chain(keys)) {
        buffer.set_stringn(0, cells(y), cut(line, facts.size.0), facts.size.0, style);
    }
}

fn right<'a>(text: impl Into<std::borrow::Cow<'a, str>>) -> Cell<'a> {
    Cell::new(Line::raw(text).right_aligned())
}

/// No terminal has more.
fn cells(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn hints(list: &List, facts: &Facts, shown: u8, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for level in 1..=shown {
        let exercise = list.exercise(facts).into_iter();
        lines.extend(exercise.flat_map(|exercise| hint_text(exercise, level, look)));
        lines.push(String::new());
    }
    lines
}

fn page(
    list: &List,
    facts: &Facts,
    page: &Option<Result<String, String>>,
    look: &Look,
) -> Vec<String> {
    let Some(exercise) = list.exercise(facts) else {
        return Vec::new();
    };
    let reveal = match facts.progress.of(&exercise.name).first_pass {
        Some(_) => Reveal::All,
        None => Reveal::UpToTheFix,
    };
    match page {
        Some(Ok(page)) => explanation(&exercise.name, page, reveal, look),
        Some(Err(why)) => look.wrap(&super::legible(why), "! ", "  "),
        None => vec!["looking for the page".to_owned()],
    }
}

/// A text over the whole screen, with what it is about above and the keys below.
fn reading(list: &List, facts: &Facts, look: &Look, body: &[String]) -> Drawn {
    let (width, height) = (facts.size.0.max(1), facts.size.1.max(3));
    let title = list.exercise(facts).map_or(String::new(), |exercise| {
        format!("{} · {}", exercise.name, exercise.title)
    });
    let head = [look.paint(Tone::Strong, &cut(&title, width)), String::new()];
    let mut foot: Vec<String> = list.words(facts);
    let keys = list.keys(facts).into_iter();
    foot.extend(keys.map(|row| look.paint(Tone::Quiet, &cut(&row, width))));
    let foot = fit(&foot, width);
    let foot = &foot[..foot.len().min(height - 1)];
    let head = &head[..head.len().min((height - foot.len()).saturating_sub(4))];
    let room = height - head.len() - foot.len();
    let body = fit(body, width);
    let most = body.len().saturating_sub(room);
    let shown = scrolled(&body, list.scroll.min(most), room, look);
    Drawn {
        rows: [head, &shown, foot].concat(),
        most,
    }
}
