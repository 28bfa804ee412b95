//! A class as plain text for a terminal: a row a learner, a sign a cell, then what stops most and what has no verdict.

use unicode_width::UnicodeWidthStr;

use super::tame::tame_line;
use super::{Class, Learner, Score, State};
use crate::core::view::{Look, Tone, cut};

/// Columns of a learner's name: at most, and what is left of it on a narrow terminal.
const NAME: usize = 24;
const LEAST_NAME: usize = 8;
/// Rows of what stops most.
const STOPPING: usize = 5;
const BAR: usize = 20;
/// Columns from which on there is room for a bar.
const WIDE: usize = 60;
/// Sentences about cells without a verdict, each once.
const PROBLEMS: usize = 10;

pub fn table(class: &Class, look: &Look) -> Vec<String> {
    let grid = Grid::of(class, look);
    let mut lines = Vec::new();
    for (block, columns) in grid.blocks().enumerate() {
        if block > 0 {
            lines.push(String::new());
        }
        lines.extend(grid.block(columns));
    }
    lines.push(String::new());
    lines.extend(legend(class, look));
    for part in [totals(class), stopping(class, look), problems(class, look)] {
        if !part.is_empty() {
            lines.push(String::new());
            lines.extend(part);
        }
    }
    lines
}

struct Grid<'a> {
    class: &'a Class,
    look: &'a Look,
    scores: Vec<Score>,
    name: usize,
    /// Digits of the widest figure: passed, of, points, of.
    digits: usize,
}

impl<'a> Grid<'a> {
    fn of(class: &'a Class, look: &'a Look) -> Self {
        let scores: Vec<Score> = class.learners.iter().map(|l| class.score(l)).collect();
        let most = scores.iter().map(|s| s.of.max(s.exercises)).max();
        let digits = most.unwrap_or(0).to_string().len();
        let names = class.learners.iter().map(|l| tame_line(&l.name).width());
        let widest = names.max().unwrap_or(0).clamp(LEAST_NAME, NAME);
        // The name gives way before the signs are broken into blocks.
        let others = class.columns.len() + 3 + Self::figures(digits);
        Self {
            class,
            look,
            scores,
            name: look.width.saturating_sub(others).clamp(LEAST_NAME, widest),
            digits,
        }
    }

    /// `12/26 passed 30/52 points`, in columns.
    fn figures(digits: usize) -> usize {
        2 * (2 * digits + 1) + 2
    }

    /// As many columns as there is room for, one block below the other.
    fn blocks(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let taken = self.name + 3 + Self::figures(self.digits);
        let room = self.look.width.saturating_sub(taken).max(10);
        let all = self.class.columns.len();
        (0..all.max(1))
            .step_by(room)
            .map(move |from| from..(from + room).min(all))
    }

    fn block(&self, columns: std::ops::Range<usize>) -> Vec<String> {
        let mut lines = self.head(&columns);
        let learners = self.class.learners.iter().zip(&self.scores);
        lines.extend(learners.map(|(learner, score)| self.row(learner, score, &columns)));
        lines
    }

    /// The number of each exercise, its digits one below the other.
    fn head(&self, columns: &std::ops::Range<usize>) -> Vec<String> {
        let digits = self.class.columns.len().to_string().len();
        let width = 2 * self.digits + 1;
        (0..digits)
            .map(|digit| {
                let numbers = columns.clone().map(|at| format!("{:>digits$}", at + 1));
                let signs: String = numbers.filter_map(|n| n.chars().nth(digit)).collect();
                let mut line = format!("{}  {signs}", " ".repeat(self.name));
                if digit + 1 == digits {
                    line.push_str(&format!("  {:>width$}  {:>width$}", "pass", "points"));
                }
                self.look.paint(Tone::Quiet, line.trim_end())
            })
            .collect()
    }

    fn row(&self, learner: &Learner, score: &Score, columns: &std::ops::Range<usize>) -> String {
        let name = cut(&tame_line(&learner.name), self.name);
        let room = " ".repeat(self.name.saturating_sub(name.width()));
        let cells = learner.cells.get(columns.clone()).unwrap_or_default();
        let signs: String = cells
            .iter()
            .map(|cell| sign(cell.state(), self.look))
            .collect();
        let width = 2 * self.digits + 1;
        let passed = format!("{}/{}", score.passed, score.exercises);
        let points = format!("{}/{}", score.points, score.of);
        format!("{name}{room}  {signs}  {passed:>width$}  {points:>width$}")
    }
}

fn sign(state: State, look: &Look) -> String {
    let sign = state.sign().to_string();
    match state {
        State::Passed => look.paint(Tone::Good, &sign),
        State::Failed(_) => look.paint(Tone::Bad, &sign),
        State::Broken => look.paint(Tone::Strong, &sign),
        State::Untouched | State::Skipped | State::Elsewhere => look.paint(Tone::Quiet, &sign),
    }
}

fn legend(class: &Class, look: &Look) -> Vec<String> {
    let signs = class.states().into_iter();
    let mut lines = flow(
        signs.map(|state| format!("{} {}", state.sign(), state.meaning())),
        look,
    );
    let names = class.columns.iter().zip(1..);
    let names = names.map(|(column, number)| format!("{number} {}", column.exercise));
    lines.push(String::new());
    lines.extend(flow(names, look));
    lines
}

/// As many on a line as fit. Not wrapped as a text is: there no line begins with a `?`, whatever stands before it.
fn flow(items: impl Iterator<Item = String>, look: &Look) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.width() + 2 + item.width() <= look.width => {
                line.push_str("  ");
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

fn totals(class: &Class) -> Vec<String> {
    let cells = || class.learners.iter().flat_map(|learner| &learner.cells);
    let count = |wanted: fn(State) -> bool| cells().filter(|cell| wanted(cell.state())).count();
    let passed = count(|state| state == State::Passed);
    let complete = class.learners.iter().filter(|learner| {
        let score = class.score(learner);
        score.exercises > 0 && score.passed == score.exercises
    });
    let known = |name: &str, n: usize| match n {
        1 => format!("1 {name}"),
        n => format!("{n} {name}s"),
    };
    let mut line = format!(
        "{}, {}: {passed} of {} verdicts passed",
        known("learner", class.learners.len()),
        known("exercise", class.columns.len()),
        cells().count()
    );
    match complete.count() {
        0 => {}
        n => line.push_str(&format!("; {} with all that counts", known("learner", n))),
    }
    vec![line]
}

fn stopping(class: &Class, look: &Look) -> Vec<String> {
    let stopping = class.stopping();
    if stopping.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![look.paint(Tone::Strong, "What stops most")];
    let all = class.learners.len();
    let shown = &stopping[..stopping.len().min(STOPPING)];
    let names = shown.iter().filter_map(|(at, _)| class.columns.get(*at));
    let wide = names
        .map(|column| column.exercise.width())
        .max()
        .unwrap_or(0);
    for (at, tally) in shown {
        let Some(column) = class.columns.get(*at) else {
            continue;
        };
        let filled = (tally.stopped * BAR).div_ceil(all.max(1));
        let bar = format!(
            "{}{} ",
            "#".repeat(filled),
            ".".repeat(BAR - filled.min(BAR))
        );
        let bar = if look.width < WIDE { "" } else { &bar };
        let mostly = tally.mostly.map(|verdict| State::Failed(verdict).meaning());
        let head = format!("{:>3}  {:wide$}  ", at + 1, column.exercise);
        let text = format!(
            "{bar}{} of {all}, mostly: {}; {} passed",
            tally.stopped,
            mostly.unwrap_or_default(),
            tally.passed
        );
        lines.extend(look.wrap(&text, &head, &" ".repeat(head.width())));
    }
    lines
}

fn problems(class: &Class, look: &Look) -> Vec<String> {
    let found = class.problems();
    if found.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![look.paint(Tone::Strong, "Without a verdict")];
    let more = found.len().saturating_sub(PROBLEMS);
    for (why, count) in found.into_iter().take(PROBLEMS) {
        let times = match count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        lines.extend(look.wrap(&format!("{why}{times}"), "  ", "    "));
    }
    if more > 0 {
        lines.push(format!(
            "  and {more} more sentences; the JSON and HTML reports have them all"
        ));
    }
    lines
}
