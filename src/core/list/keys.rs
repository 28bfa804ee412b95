//! What keys and the mouse do in the table.

use super::choice::{Choice, Turn};
use super::foot::ABOVE;
use super::{Action, Facts, List, Shows};
use crate::core::session::{Key, Mouse};

/// The last hint.
const LAST: u8 = 3;
/// Rows that one notch of a wheel moves.
const NOTCH: isize = 3;

impl List {
    pub(super) fn on_key(&mut self, key: Key, facts: &Facts) -> Vec<Action> {
        match self.shows {
            Shows::Rows => self.on_rows(key, facts),
            Shows::Finding => self.on_typed(key),
            Shows::Asking => self.on_answer(key),
            Shows::Hints(shown) => self.on_hints(key, shown, facts),
            Shows::Page(_) => self.on_reading(key, facts),
        }
    }

    fn on_rows(&mut self, key: Key, facts: &Facts) -> Vec<Action> {
        let page = self.room(facts).max(1) as isize;
        match key {
            Key::Up | Key::Char('k') => self.step(-1, facts),
            Key::Down | Key::Char('j') => self.step(1, facts),
            Key::PageUp => self.step(-page, facts),
            Key::PageDown => self.step(page, facts),
            Key::Home => self.step(isize::MIN, facts),
            Key::End => self.step(isize::MAX, facts),
            Key::Char('f') => self.choice.turn_state(Turn::On),
            Key::Char('F') => self.choice.turn_state(Turn::Back),
            Key::Char('c') => self.choice.turn_chapter(Turn::On, facts),
            Key::Char('C') => self.choice.turn_chapter(Turn::Back, facts),
            Key::Char('t') if facts.manifest.tracks.is_empty() => {
                self.say("this workbook has no tracks")
            }
            Key::Char('t') => self.choice.turn_track(Turn::On, facts),
            Key::Char('T') => self.choice.turn_track(Turn::Back, facts),
            Key::Char('s') => self.choice.turn_sort(),
            Key::Char('S') => self.choice.falling = !self.choice.falling,
            Key::Char('a') => self.choice = Choice::default(),
            Key::Char('/') => self.shows = Shows::Finding,
            Key::Char('q' | 'l') | Key::Escape => return vec![Action::Leave],
            key => return self.on_selected(key, facts),
        }
        Vec::new()
    }

    /// Keys that need an exercise.
    fn on_selected(&mut self, key: Key, facts: &Facts) -> Vec<Action> {
        if self.rows(facts).is_empty() {
            self.say("no exercise is selected; a shows all of them again");
            return Vec::new();
        }
        let exercise = self.selected;
        match key {
            Key::Enter => return vec![Action::GoTo(exercise)],
            Key::Char('u') => return vec![Action::UndoReset(exercise)],
            Key::Char('x') => self.shows = Shows::Asking,
            Key::Char('h') => return self.open_hints(facts),
            Key::Char('e') => {
                self.scroll = 0;
                self.shows = Shows::Page(None);
                return vec![Action::Explain(exercise)];
            }
            Key::Char(key) if key.is_alphanumeric() => {
                self.say(format!("{key} does nothing here; what does is named below"));
            }
            _ => {}
        }
        Vec::new()
    }

    /// The text is looked for while it is typed.
    fn on_typed(&mut self, key: Key) -> Vec<Action> {
        match key {
            Key::Char(c) => self.choice.text.push(c),
            Key::Backspace if self.choice.text.is_empty() => self.shows = Shows::Rows,
            Key::Backspace => drop(self.choice.text.pop()),
            Key::Enter => self.shows = Shows::Rows,
            Key::Escape => {
                self.choice.text.clear();
                self.shows = Shows::Rows;
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_answer(&mut self, key: Key) -> Vec<Action> {
        match key {
            Key::Char('y' | 'Y') => {
                self.shows = Shows::Rows;
                return vec![Action::Reset(self.selected)];
            }
            Key::Char('n' | 'N' | 'q' | 'x') | Key::Escape => {
                self.shows = Shows::Rows;
                self.say("nothing was reset");
            }
            _ => {}
        }
        Vec::new()
    }

    /// Those that were taken before, at least the first.
    fn open_hints(&mut self, facts: &Facts) -> Vec<Action> {
        let taken = self.taken(facts).max(1);
        self.take(taken, facts)
    }

    fn on_hints(&mut self, key: Key, shown: u8, facts: &Facts) -> Vec<Action> {
        match key {
            Key::Char('h') if shown < LAST => self.take(shown + 1, facts),
            Key::Char('h') => {
                self.say("that was the last hint");
                Vec::new()
            }
            key => self.on_reading(key, facts),
        }
    }

    fn take(&mut self, level: u8, facts: &Facts) -> Vec<Action> {
        self.shows = Shows::Hints(level);
        self.scroll = 0;
        let exercise = self.selected;
        let is_news = level > self.taken(facts);
        is_news
            .then_some(Action::Hint { exercise, level })
            .into_iter()
            .collect()
    }

    fn taken(&self, facts: &Facts) -> u8 {
        let exercise = self.exercise(facts);
        exercise.map_or(0, |exercise| facts.progress.of(&exercise.name).hints)
    }

    fn on_reading(&mut self, key: Key, facts: &Facts) -> Vec<Action> {
        let page = facts.size.1.saturating_sub(6).max(1) as isize;
        let rows = match key {
            Key::Up | Key::Char('k') => -1,
            Key::Down | Key::Char('j') => 1,
            Key::PageUp => -page,
            Key::PageDown | Key::Char(' ') => page,
            Key::Home => isize::MIN,
            Key::End => isize::MAX,
            Key::Escape | Key::Char('q' | 'e' | 'l') => {
                self.shows = Shows::Rows;
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        self.scroll = self.scroll.saturating_add_signed(rows);
        Vec::new()
    }

    /// Moves the selection over the rows that are shown.
    fn step(&mut self, rows: isize, facts: &Facts) {
        let shown = self.rows(facts);
        if let Some(at) = self.at(&shown) {
            let at = at.saturating_add_signed(rows).min(shown.len() - 1);
            self.selected = shown[at].index;
        }
    }

    pub(super) fn on_mouse(&mut self, mouse: Mouse, facts: &Facts) -> Vec<Action> {
        match (&self.shows, mouse) {
            (Shows::Rows | Shows::Finding, Mouse::Click { row, .. }) => self.click(row, facts),
            (Shows::Rows | Shows::Finding, Mouse::WheelUp) => self.wheel(-NOTCH, facts),
            (Shows::Rows | Shows::Finding, Mouse::WheelDown) => self.wheel(NOTCH, facts),
            (Shows::Hints(_) | Shows::Page(_), Mouse::WheelUp) => {
                self.scroll = self.scroll.saturating_add_signed(-NOTCH);
                Vec::new()
            }
            (Shows::Hints(_) | Shows::Page(_), Mouse::WheelDown) => {
                self.scroll = self.scroll.saturating_add_signed(NOTCH);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The first click selects and the second one goes, however long that takes: a double click needs no clock.
    fn click(&mut self, row: usize, facts: &Facts) -> Vec<Action> {
        let rows = self.rows(facts);
        let room = self.room(facts);
        let first = self.first_shown(&rows, room);
        let Some(line) = row.checked_sub(ABOVE).filter(|line| *line < room) else {
            return Vec::new();
        };
        let Some(clicked) = rows.get(first + line) else {
            return Vec::new();
        };
        self.shows = Shows::Rows;
        if clicked.index == self.selected {
            return vec![Action::GoTo(clicked.index)];
        }
        self.selected = clicked.index;
        Vec::new()
    }

    /// The rows move, and the selection only as far as it must to stay in sight.
    fn wheel(&mut self, rows: isize, facts: &Facts) -> Vec<Action> {
        let shown = self.rows(facts);
        let room = self.room(facts);
        let Some(at) = self.at(&shown) else {
            return Vec::new();
        };
        let first = self.first_shown(&shown, room);
        let most = shown.len().saturating_sub(room);
        self.top = first.saturating_add_signed(rows).min(most);
        let last = (self.top + room).min(shown.len()).saturating_sub(1);
        self.selected = shown[at.clamp(self.top.min(last), last)].index;
        Vec::new()
    }
}
