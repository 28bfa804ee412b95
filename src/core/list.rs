//! The table of exercises of `list` and of the key l, as a pure step: a key comes in, actions go out. Owns no exercise:
//! who shows it lends the facts.

mod choice;
mod foot;
mod keys;

pub use choice::{Choice, Row, Sort, State};
pub(in crate::core) use foot::ABOVE;

use super::manifest::{Exercise, Manifest};
use super::progress::Progress;
use super::session::{Key, Mouse};

/// What the table is about, at the moment.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    pub manifest: &'a Manifest,
    pub progress: &'a Progress,
    /// Index of the exercise where the learner is.
    pub current: usize,
    /// Columns and rows of the terminal.
    pub size: (usize, usize),
    /// Something to know that does not come from the table.
    pub notice: Option<&'a str>,
}

/// Where somebody is in the table, and what of it they want to see.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct List {
    pub(super) choice: Choice,
    /// Index of an exercise.
    pub(super) selected: usize,
    /// Rows of the table that are scrolled away.
    pub(super) top: usize,
    pub(super) shows: Shows,
    /// Rows of a hint or page that are scrolled away.
    pub(super) scroll: usize,
    pub(super) notice: Option<String>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in crate::core) enum Shows {
    #[default]
    Rows,
    /// The text to find is being typed.
    Finding,
    /// A reset waits for y or n.
    Asking,
    /// So many hints of the selected exercise.
    Hints(u8),
    /// The book's page of the selected exercise, once it is brought: Markdown, or why there is none.
    Page(Option<Result<String, String>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Key(Key),
    Mouse(Mouse),
}

/// Where an action speaks of an exercise it gives the index in the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Leave,
    GoTo(usize),
    Reset(usize),
    /// Bring back the text that its last reset replaced.
    UndoReset(usize),
    /// Bring the book's page.
    Explain(usize),
    /// A hint was taken that was not known yet.
    Hint {
        exercise: usize,
        level: u8,
    },
}

impl Facts<'_> {
    /// Why this exercise is not to be worked on yet, in a sentence.
    pub(in crate::core) fn closed(&self, exercise: usize) -> Option<String> {
        let name = &self.manifest.exercises.get(exercise)?.name;
        let gate = self.progress.closed(self.manifest, name)?;
        Some(format!("`{name}` is closed: {gate}"))
    }
}

impl List {
    /// As somebody finds it who opens it: where they are is selected, what they filtered is filtered still.
    pub fn open(&mut self, facts: &Facts) {
        self.shows = Shows::Rows;
        self.notice = None;
        self.selected = facts.current;
        self.settle(facts);
    }

    /// Decides what an input means. Whatever it was, the table is to be drawn again.
    pub fn on(&mut self, input: Input, facts: &Facts) -> Vec<Action> {
        self.notice = None;
        let actions = match input {
            Input::Key(key) => self.on_key(key, facts),
            Input::Mouse(mouse) => self.on_mouse(mouse, facts),
        };
        self.settle(facts);
        let closed = actions.iter().find_map(|action| match action {
            Action::GoTo(exercise) | Action::Explain(exercise) | Action::Hint { exercise, .. } => {
                facts.closed(*exercise)
            }
            Action::Leave | Action::Reset(_) | Action::UndoReset(_) => None,
        });
        if let Some(why) = closed {
            self.shows = Shows::Rows;
            self.say(why);
            return Vec::new();
        }
        actions
    }

    /// The page that was asked for. One that comes too late is not shown.
    pub fn explained(&mut self, exercise: usize, result: Result<String, String>) {
        if exercise == self.selected && matches!(self.shows, Shows::Page(None)) {
            self.shows = Shows::Page(Some(result));
        }
    }

    /// A word at the foot, until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(text.into());
    }

    /// How far the text that was drawn can be scrolled.
    pub fn clamp_scroll(&mut self, most: usize) {
        self.scroll = self.scroll.min(most);
    }

    /// What is shown, in its order.
    pub(super) fn rows<'a>(&self, facts: &Facts<'a>) -> Vec<Row<'a>> {
        self.choice.rows(facts)
    }

    pub(super) fn exercise<'a>(&self, facts: &Facts<'a>) -> Option<&'a Exercise> {
        facts.manifest.exercises.get(self.selected)
    }

    /// Which of these rows is selected; `None` only where there are none.
    pub(super) fn at(&self, rows: &[Row]) -> Option<usize> {
        let at = rows.iter().position(|row| row.index == self.selected);
        at.or((!rows.is_empty()).then_some(0))
    }

    /// The first row shown, so that the selected one is seen, in a terminal that may have another size by now.
    pub(super) fn first_shown(&self, rows: &[Row], room: usize) -> usize {
        let at = self.at(rows).unwrap_or(0);
        let top = self.top.min(rows.len().saturating_sub(room));
        top.clamp((at + 1).saturating_sub(room), at)
    }

    /// After anything that changes which rows there are: one that is shown is selected, and seen.
    fn settle(&mut self, facts: &Facts) {
        let rows = self.rows(facts);
        if let Some(at) = self.at(&rows) {
            self.selected = rows[at].index;
        }
        self.top = self.first_shown(&rows, self.room(facts));
    }
}

#[cfg(test)]
mod tests;
