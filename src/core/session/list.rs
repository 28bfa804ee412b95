//! The list over watch mode's screen: what is chosen there, done here.

use super::event::{Action, Key, Mouse};
use super::state::{Screen, Session};
use crate::core::list::{self, Facts, Input};
use crate::core::progress::Change;

impl Session {
    /// What the table is about.
    pub(in crate::core) fn facts(&self) -> Facts<'_> {
        Facts {
            manifest: &self.manifest,
            progress: &self.progress,
            current: self.current,
            size: self.size,
            notice: self.notice.as_deref(),
        }
    }

    /// Whether clicks are listened to. Where they are not, the terminal selects text with them.
    pub fn takes_the_mouse(&self) -> bool {
        self.screen == Screen::List
    }

    pub(super) fn open_list(&mut self) -> Vec<Action> {
        let mut list = std::mem::take(&mut self.list);
        list.open(&self.facts());
        self.list = list;
        self.toggle(Screen::List)
    }

    pub(super) fn on_list_key(&mut self, key: Key) -> Vec<Action> {
        match key {
            Key::CtrlZ => self.suspend(),
            key => self.on_list(Input::Key(key)),
        }
    }

    pub(super) fn on_mouse(&mut self, mouse: Mouse) -> Vec<Action> {
        // What was clicked just before the list was left is for nobody.
        if self.screen != Screen::List {
            return Vec::new();
        }
        self.on_list(Input::Mouse(mouse))
    }

    fn on_list(&mut self, input: Input) -> Vec<Action> {
        self.notice = None;
        let mut list = std::mem::take(&mut self.list);
        let wanted = list.on(input, &self.facts());
        self.list = list;
        let mut actions = vec![Action::Draw];
        for wanted in wanted {
            actions.extend(self.carry_out(wanted));
        }
        actions
    }

    fn carry_out(&mut self, wanted: list::Action) -> Vec<Action> {
        match wanted {
            list::Action::Leave => self.toggle(Screen::List),
            list::Action::GoTo(exercise) if exercise == self.current => self.toggle(Screen::List),
            list::Action::GoTo(exercise) => self.go_to(exercise),
            list::Action::Reset(exercise) => vec![Action::Reset(exercise)],
            list::Action::UndoReset(exercise) => vec![Action::UndoReset(exercise)],
            list::Action::Explain(exercise) => vec![Action::Explain(exercise)],
            list::Action::Hint { exercise, level } => {
                let exercise = self.manifest.exercises.get(exercise);
                let name = exercise.map(|exercise| exercise.name.clone());
                name.map_or(Vec::new(), |name| {
                    self.record(Change::HintTaken { name, level })
                })
            }
        }
    }
}
