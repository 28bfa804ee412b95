//! What comes back from jobs. What an older generation says is ignored.

use super::event::{Action, Checked};
use super::state::{Found, Lab, Screen, Session, Stage};
use crate::core::manifest::VerdictKind;
use crate::core::progress::Change;
use crate::core::view::{Pair, legible};

/// Lines of an exercise's output that are kept.
const MAX_OUTPUT_LINES: usize = 500;
/// Bytes of one line that are kept.
const MAX_LINE: usize = 2000;

impl Session {
    pub(super) fn on_prepared(&mut self, result: Result<(), String>) -> Vec<Action> {
        match result {
            Ok(()) => {
                self.lab = Lab::Ready;
                self.check()
            }
            Err(why) => self.show(|session| session.lab = Lab::Failed(why)),
        }
    }

    pub(super) fn on_compiled(&mut self, generation: u64) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        self.show(|session| {
            if let Some(job) = &mut session.job {
                job.stage = Stage::Running;
            }
        })
    }

    pub(super) fn on_verdict(
        &mut self,
        generation: u64,
        now: u64,
        result: Result<Box<Checked>, String>,
    ) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        self.job = None;
        self.found_in = generation;
        self.wrote = false;
        if std::mem::take(&mut self.replied) {
            self.notice = None;
        }
        // Somebody may be reading something else meanwhile.
        if self.screen == Screen::Exercise {
            self.scroll = 0;
        }
        let mut actions = Vec::new();
        self.found = Some(match result {
            Ok(checked) => {
                let verdict = &checked.judged.verdict;
                if verdict.passed() {
                    // They have done their work, and the verdict is to be seen.
                    self.hints = 0;
                }
                if !verdict.skipped() {
                    actions = self.record(Change::Checked {
                        name: self.name(),
                        passed: verdict.passed(),
                        verdict: Some(verdict.kind()),
                        at: now,
                    });
                }
                Found::Verdict(checked)
            }
            Err(why) => Found::Trouble(why),
        });
        actions.push(Action::Draw);
        actions
    }

    pub(super) fn on_one_of_all(
        &mut self,
        generation: u64,
        now: u64,
        exercise: usize,
        result: Result<&'static str, String>,
    ) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        let name = self
            .manifest
            .exercises
            .get(exercise)
            .map(|exercise| exercise.name.clone());
        // What nobody has opened yet was not tried.
        let counts = |name: &String, outcome: &str| match outcome {
            "passed" => true,
            "skipped" => false,
            _ => self.progress.of(name).attempts > 0,
        };
        let mut actions = match (&result, name) {
            (Ok(outcome), Some(name)) if counts(&name, outcome) => self.record(Change::Checked {
                name,
                passed: *outcome == "passed",
                verdict: (*outcome == "passed").then_some(VerdictKind::Passed),
                at: now,
            }),
            _ => Vec::new(),
        };
        self.all.push((exercise, result));
        actions.push(Action::Draw);
        actions
    }

    pub(super) fn on_all_done(&mut self, generation: u64) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        self.job = None;
        if self.owes_a_check() {
            self.check()
        } else {
            vec![Action::Draw]
        }
    }

    pub(super) fn on_output(&mut self, generation: u64, text: &str) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        for piece in text.split_inclusive('\n') {
            self.keep(piece);
        }
        vec![Action::Draw]
    }

    /// A piece that ends in a line feed ends its line; the next one begins another.
    fn keep(&mut self, piece: &str) {
        let main = &mut self.main;
        if main.lines.is_empty() {
            main.lines.push(String::new());
        }
        let ends = piece.ends_with('\n');
        if let Some(line) = main.lines.last_mut()
            && line.len() < MAX_LINE
        {
            line.push_str(&legible(piece.trim_end_matches(['\n', '\r'])));
        }
        if ends {
            main.lines.push(String::new());
        }
        let over = main.lines.len().saturating_sub(MAX_OUTPUT_LINES);
        main.lines.drain(..over);
        main.dropped += over;
    }

    pub(super) fn on_main_done(&mut self, generation: u64, end: String) -> Vec<Action> {
        if !self.is_current(generation) {
            return Vec::new();
        }
        self.show(|session| {
            session.job = None;
            session.main.end = Some(end);
        })
    }

    pub(super) fn on_explained(
        &mut self,
        exercise: usize,
        result: Result<String, String>,
    ) -> Vec<Action> {
        if self.screen == Screen::List {
            return self.show(|session| session.list.explained(exercise, result));
        }
        if exercise != self.current {
            return Vec::new();
        }
        self.show(|session| session.page = Some(result))
    }

    pub(super) fn on_compared(
        &mut self,
        exercise: usize,
        result: Result<Vec<Pair>, String>,
    ) -> Vec<Action> {
        if exercise != self.current {
            return Vec::new();
        }
        self.show(|session| session.compared = Some(result))
    }

    pub(super) fn on_reset(
        &mut self,
        exercise: usize,
        result: Result<String, String>,
    ) -> Vec<Action> {
        self.replied = false;
        self.wrote = result.is_ok();
        self.say(match &result {
            Ok(text) => format!("{text}; u brings back what it replaced"),
            Err(text) => text.clone(),
        });
        let name = self.manifest.exercises.get(exercise);
        let (Ok(_), Some(name)) = (result, name) else {
            return vec![Action::Draw];
        };
        let mut actions = self.record(Change::Reset {
            name: name.name.clone(),
        });
        if exercise != self.current {
            actions.push(Action::Draw);
            return actions;
        }
        if self.screen != Screen::List {
            self.screen = Screen::Exercise;
        }
        self.gone = false;
        self.found = None;
        self.finished = false;
        actions.extend(self.check());
        actions
    }

    /// The watcher sees the text come back, and that begins a check.
    pub(super) fn on_undone(&mut self, result: Result<String, String>) -> Vec<Action> {
        self.replied = false;
        self.wrote = result.is_ok();
        let (Ok(text) | Err(text)) = result;
        self.say(text)
    }
}
