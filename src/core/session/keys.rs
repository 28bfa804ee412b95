//! What each key does, in each state. Every key is heard at any moment, also during a run.

use super::event::{Action, Farewell, Key};
use super::state::{JobKind, Lab, MainRun, Screen, Session};
use crate::core::progress::Change;
use crate::core::view::key_words;

impl Session {
    pub(super) fn on_key(&mut self, key: Key) -> Vec<Action> {
        if key == Key::CtrlC {
            return self.quit(Farewell::Interrupted);
        }
        if self.editing {
            // Typed for the editor, just before it could hear it.
            return Vec::new();
        }
        if self.asked {
            return self.on_answer(key);
        }
        if self.going.is_some() {
            return self.on_going(key);
        }
        if self.screen == Screen::List {
            return self.on_list_key(key);
        }
        let Key::Char(key) = key else {
            return self.on_move(key);
        };
        let stale = self.notice.take().is_some() | std::mem::take(&mut self.welcome);
        let insists = std::mem::take(&mut self.insists) && key == 'n';
        // What was offered with a word goes with the word.
        let elsewhere = self.elsewhere.take();
        let closed = self.closed(self.current);
        let actions = match key {
            'h' | 'e' | 'd' | 'm' | 'x' | 'u' | 'o' if closed.is_some() => {
                self.reply(closed.unwrap_or_default())
            }
            'q' => self.quit(Farewell::Asked),
            'n' => self.next(insists),
            'p' => self.previous(),
            'u' => self.undo(),
            'r' => self.again(),
            'h' => self.hint(),
            'e' => self.explain(),
            'd' => self.compare(),
            'l' => self.open_list(),
            'c' => self.check_all(),
            'x' => self.ask(),
            'm' => self.run_main(),
            'g' | '/' => match elsewhere {
                Some(exercise) => self.go_to(exercise),
                None => self.ask_where(),
            },
            'o' => self.edit(),
            '?' => self.reply(format!("the keys: {}", key_words())),
            'j' => self.scroll(1),
            'k' => self.scroll(-1),
            key if key.is_alphanumeric() => {
                self.reply(format!("{key} does nothing; ? names the keys that do"))
            }
            _ => Vec::new(),
        };
        // A word that was on the screen is gone.
        if actions.is_empty() && stale {
            vec![Action::Draw]
        } else {
            actions
        }
    }

    fn on_move(&mut self, key: Key) -> Vec<Action> {
        let page = self.size.1.saturating_sub(6).max(1) as isize;
        match key {
            Key::Escape => self.toggle(self.screen),
            Key::Up => self.scroll(-1),
            Key::Down => self.scroll(1),
            Key::PageUp => self.scroll(-page),
            Key::PageDown => self.scroll(page),
            Key::Home => self.scroll(isize::MIN),
            Key::CtrlZ => self.suspend(),
            Key::CtrlC | Key::Char(_) | Key::End | Key::Enter | Key::Tab | Key::Backspace => {
                Vec::new()
            }
        }
    }

    fn scroll(&mut self, rows: isize) -> Vec<Action> {
        // Output is followed at its end, so that its scrolling counts from there.
        let rows = if self.screen == Screen::Main {
            rows.saturating_neg()
        } else {
            rows
        };
        self.show(|session| session.scroll = session.scroll.saturating_add_signed(rows))
    }

    /// How far the text that was drawn can be scrolled.
    pub fn clamp_scroll(&mut self, most: usize) {
        if self.screen == Screen::List {
            return self.list.clamp_scroll(most);
        }
        self.scroll = self.scroll.min(most);
    }

    pub(super) fn on_answer(&mut self, key: Key) -> Vec<Action> {
        match key {
            Key::Char('y' | 'Y') => {
                self.asked = false;
                vec![Action::Reset(self.current), Action::Draw]
            }
            Key::Char('n' | 'N' | 'q' | 'x') | Key::Escape => {
                self.asked = false;
                self.say("nothing was reset")
            }
            Key::CtrlZ => self.suspend(),
            _ => Vec::new(),
        }
    }

    fn ask(&mut self) -> Vec<Action> {
        self.show(|session| {
            session.screen = Screen::Exercise;
            session.asked = true;
        })
    }

    fn next(&mut self, insists: bool) -> Vec<Action> {
        if self.is_checking() && !insists {
            self.insists = true;
            return self.reply("the check is still running; n once more goes on without it");
        }
        if !self.may_go_on() && !insists {
            self.insists = true;
            return self.reply("not passed yet; n once more goes on all the same");
        }
        let next = self
            .progress
            .next(&self.manifest, &self.name())
            .map(|exercise| exercise.name.clone());
        match self
            .manifest
            .exercises
            .iter()
            .position(|exercise| Some(&exercise.name) == next.as_ref())
        {
            Some(next) => self.go_to(next),
            None => self.show(|session| {
                session.screen = Screen::Exercise;
                session.finished = true;
                session.scroll = 0;
            }),
        }
    }

    /// The one before on the path that is open, done or not.
    fn previous(&mut self) -> Vec<Action> {
        let mut before = (0..self.current).rev();
        match before.find(|exercise| self.closed(*exercise).is_none()) {
            Some(exercise) => self.go_to(exercise),
            None => self.reply("this is the first exercise"),
        }
    }

    /// Brings back the text that the last reset replaced.
    fn undo(&mut self) -> Vec<Action> {
        vec![Action::UndoReset(self.current)]
    }

    pub(super) fn go_to(&mut self, exercise: usize) -> Vec<Action> {
        if let Some(why) = self.closed(exercise) {
            return self.reply(why);
        }
        let mut actions = self.cancel();
        self.current = exercise;
        self.found = None;
        self.gone = false;
        self.hints = 0;
        self.scroll = 0;
        self.welcome = false;
        self.finished = false;
        self.elsewhere = None;
        self.main = MainRun::default();
        self.page = None;
        self.compared = None;
        self.screen = Screen::Exercise;
        actions.extend(self.record(Change::MovedTo { name: self.name() }));
        actions.extend(self.check());
        actions
    }

    /// An answer to a key: it says how things are, and the next verdict takes it away.
    pub(super) fn reply(&mut self, text: impl Into<String>) -> Vec<Action> {
        self.replied = true;
        self.say(text)
    }

    pub(super) fn record(&mut self, change: Change) -> Vec<Action> {
        self.progress.apply(&change);
        vec![Action::SaveProgress(vec![change])]
    }

    fn again(&mut self) -> Vec<Action> {
        if let Lab::Failed(_) = self.lab {
            self.lab = Lab::Preparing("trying again".to_owned());
            return vec![Action::Prepare, Action::Draw];
        }
        self.screen = Screen::Exercise;
        self.check()
    }

    fn hint(&mut self) -> Vec<Action> {
        self.screen = Screen::Exercise;
        self.scroll = 0;
        if self.hints == 3 {
            return self.reply("that was the last hint");
        }
        self.hints += 1;
        let mut actions = self.record(Change::HintTaken {
            name: self.name(),
            level: self.hints,
        });
        actions.push(Action::Draw);
        actions
    }

    /// Shows the book's page, which is brought once for each exercise.
    fn explain(&mut self) -> Vec<Action> {
        let mut actions = self.toggle(Screen::Page);
        if self.screen == Screen::Page && !matches!(self.page, Some(Ok(_))) {
            self.page = None;
            actions.push(Action::Explain(self.current));
        }
        actions
    }

    /// Shows the learner's fix beside ours, as they are now.
    fn compare(&mut self) -> Vec<Action> {
        if self.progress.of(&self.name()).first_pass.is_none() {
            return self.reply("not passed yet, so our fix stays hidden; h helps without it");
        }
        let mut actions = self.toggle(Screen::Solution);
        if self.screen == Screen::Solution {
            self.compared = None;
            actions.push(Action::Compare(self.current));
        }
        actions
    }

    /// Shows another screen, or leaves it.
    pub(super) fn toggle(&mut self, screen: Screen) -> Vec<Action> {
        self.scroll = 0;
        if self.screen != screen {
            return self.show(|session| session.screen = screen);
        }
        self.screen = Screen::Exercise;
        let mut actions = match self.job.as_ref().map(|job| job.kind) {
            Some(JobKind::Main) => self.cancel(),
            _ => Vec::new(),
        };
        actions.extend(if self.owes_a_check() {
            self.check()
        } else {
            vec![Action::Draw]
        });
        actions
    }

    fn check_all(&mut self) -> Vec<Action> {
        if !matches!(self.lab, Lab::Ready) {
            return self.reply("the lab is not ready yet");
        }
        self.give_way();
        self.screen = Screen::All;
        self.scroll = 0;
        self.all.clear();
        let generation = self.begin(JobKind::All);
        let all = 0..self.manifest.exercises.len();
        let exercises = all
            .filter(|exercise| self.closed(*exercise).is_none())
            .collect();
        let start = Action::StartAll {
            generation,
            exercises,
        };
        vec![start, Action::Draw]
    }

    fn run_main(&mut self) -> Vec<Action> {
        if !matches!(self.lab, Lab::Ready) {
            return self.reply("the lab is not ready yet");
        }
        self.give_way();
        self.screen = Screen::Main;
        self.scroll = 0;
        self.main = MainRun::default();
        let generation = self.begin(JobKind::Main);
        vec![
            Action::StartMain {
                generation,
                exercise: self.current,
            },
            Action::Draw,
        ]
    }

    /// A check that is cut short leaves no verdict, so that coming back runs it again.
    pub(super) fn give_way(&mut self) {
        if self.is_checking() {
            self.found = None;
        }
    }
}
