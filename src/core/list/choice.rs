//! Which exercises the table shows, and in which order.

use std::cmp::Ordering;

use super::Facts;
use crate::core::manifest::{Exercise, Track};
use crate::core::progress::Record;

/// Nothing chosen: every exercise, in the order of the path.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Choice {
    pub state: Option<Wanted>,
    /// Index of a chapter.
    pub chapter: Option<usize>,
    /// Index of a track.
    pub track: Option<usize>,
    /// Each of its words stands in the name, the title or the chapter.
    pub text: String,
    pub sort: Sort,
    pub falling: bool,
}

/// How far somebody got with an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Held back by whoever teaches.
    Closed,
    /// Never tried, and still ahead.
    Open,
    /// Not done, and they have gone past it.
    Skipped,
    Tried,
    Done,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Closed => "closed",
            State::Open => "open",
            State::Skipped => "skipped",
            State::Tried => "tried",
            State::Done => "done",
        }
    }
}

/// States to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All that are to be done.
    Pending,
    Only(State),
}

impl Wanted {
    const ALL: [Self; 5] = [
        Self::Pending,
        Self::Only(State::Done),
        Self::Only(State::Tried),
        Self::Only(State::Skipped),
        Self::Only(State::Open),
    ];

    pub fn word(self) -> &'static str {
        match self {
            Wanted::Pending => "pending",
            Wanted::Only(state) => state.word(),
        }
    }

    fn has(self, state: State) -> bool {
        match self {
            Wanted::Pending => !matches!(state, State::Done | State::Closed),
            Wanted::Only(only) => state == only,
        }
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Of the path; where a track is chosen, of the track.
    #[default]
    Order,
    Name,
    Minutes,
    Level,
    Chapter,
    State,
}

impl Sort {
    const ALL: [Self; 6] = [
        Self::Order,
        Self::Name,
        Self::Minutes,
        Self::Level,
        Self::Chapter,
        Self::State,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Sort::Order => "order",
            Sort::Name => "name",
            Sort::Minutes => "minutes",
            Sort::Level => "level",
            Sort::Chapter => "chapter",
            Sort::State => "state",
        }
    }
}

/// One exercise of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// In the manifest; plus one: its place on the path.
    pub index: usize,
    pub exercise: &'a Exercise,
    pub record: Record,
    pub state: State,
}

impl Choice {
    pub(super) fn rows<'a>(&self, facts: &Facts<'a>) -> Vec<Row<'a>> {
        let exercises = facts.manifest.exercises.iter().enumerate();
        let mut rows: Vec<_> = exercises
            .map(|(index, exercise)| row(index, exercise, facts))
            .filter(|row| self.shows(row, facts))
            .collect();
        // Stable, so that what is alike keeps the order of the path, also where the order falls.
        rows.sort_by(|a, b| match self.falling {
            true => self.compare(b, a, facts),
            false => self.compare(a, b, facts),
        });
        rows
    }

    fn compare(&self, a: &Row, b: &Row, facts: &Facts) -> Ordering {
        match self.sort {
            Sort::Order => self.place(a, facts).cmp(&self.place(b, facts)),
            Sort::Name => a.exercise.name.cmp(&b.exercise.name),
            Sort::Minutes => a.exercise.minutes.cmp(&b.exercise.minutes),
            Sort::Level => a.exercise.difficulty.cmp(&b.exercise.difficulty),
            Sort::Chapter => chapter(a, facts).cmp(&chapter(b, facts)),
            Sort::State => a.state.cmp(&b.state),
        }
    }

    fn shows(&self, row: &Row, facts: &Facts) -> bool {
        let on_track = self.track(facts).is_none_or(|track| {
            let names = &track.exercises;
            names.contains(&row.exercise.name)
        });
        on_track
            && self.state.is_none_or(|wanted| wanted.has(row.state))
            && self
                .chapter
                .is_none_or(|wanted| chapter(row, facts) == Some(wanted))
            && self.has_text(row, facts)
    }

    fn has_text(&self, row: &Row, facts: &Facts) -> bool {
        let exercise = row.exercise;
        let chapter = facts.manifest.chapter(&exercise.chapter);
        let chapter = chapter.map_or("", |chapter| &chapter.title);
        let all = format!(
            "{} {} {} {chapter}",
            exercise.name, exercise.title, exercise.chapter
        );
        let all = all.to_lowercase();
        let mut words = self.text.split_whitespace();
        words.all(|word| all.contains(&word.to_lowercase()))
    }

    fn place(&self, row: &Row, facts: &Facts) -> Option<usize> {
        match self.track(facts) {
            Some(track) => track
                .exercises
                .iter()
                .position(|name| *name == row.exercise.name),
            None => Some(row.index),
        }
    }

    pub(in crate::core) fn track<'a>(&self, facts: &Facts<'a>) -> Option<&'a Track> {
        facts.manifest.tracks.get(self.track?)
    }

    pub(super) fn turn_state(&mut self, turn: Turn) {
        let at = Wanted::ALL.iter().position(|all| Some(*all) == self.state);
        self.state = turn
            .from(at, Wanted::ALL.len())
            .map(|next| Wanted::ALL[next]);
    }

    pub(super) fn turn_chapter(&mut self, turn: Turn, facts: &Facts) {
        self.chapter = turn.from(self.chapter, facts.manifest.chapters.len());
    }

    pub(super) fn turn_track(&mut self, turn: Turn, facts: &Facts) {
        self.track = turn.from(self.track, facts.manifest.tracks.len());
    }

    pub(super) fn turn_sort(&mut self) {
        let at = Sort::ALL.iter().position(|all| *all == self.sort);
        self.sort = Sort::ALL[at.map_or(0, |at| (at + 1) % Sort::ALL.len())];
        self.falling = false;
    }
}

fn row<'a>(index: usize, exercise: &'a Exercise, facts: &Facts) -> Row<'a> {
    let record = facts.progress.of(&exercise.name);
    let state = match record {
        Record { done: true, .. } => State::Done,
        _ if facts.closed(index).is_some() => State::Closed,
        Record { attempts: 1.., .. } => State::Tried,
        _ if index < facts.current => State::Skipped,
        _ => State::Open,
    };
    Row {
        index,
        exercise,
        record,
        state,
    }
}

fn chapter(row: &Row, facts: &Facts) -> Option<usize> {
    let mut chapters = facts.manifest.chapters.iter();
    chapters.position(|chapter| chapter.id == row.exercise.chapter)
}

/// One further, or one back; past the last comes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    On,
    Back,
}

impl Turn {
    fn from(self, at: Option<usize>, len: usize) -> Option<usize> {
        match (self, at) {
            (Turn::On, None) => (len > 0).then_some(0),
            (Turn::On, Some(at)) => (at + 1 < len).then_some(at + 1),
            (Turn::Back, None) => len.checked_sub(1),
            (Turn::Back, Some(at)) => at.checked_sub(1),
        }
    }
}
