//! Watch mode as a pure step: an event comes in, actions go out. Knows no file, process, clock or terminal.

mod edit;
mod event;
mod going;
mod keys;
mod line;
mod list;
mod results;
mod state;

pub use event::{Action, Checked, Event, Farewell, Key, Mouse, Signal};
pub use going::Going;
pub use state::{Found, Job, JobKind, Lab, MainRun, Screen, Session, Stage};

impl Session {
    /// Decides what an event means. The actions are to be carried out in their order.
    pub fn on(&mut self, event: Event) -> Vec<Action> {
        match event {
            Event::Key(key) => self.on_key(key),
            Event::Line(line) => self.on_line(&line),
            Event::NoMoreLines => self.quit(Farewell::Asked),
            Event::Mouse(mouse) => self.on_mouse(mouse),
            Event::FileChanged(exercise) => self.on_save(exercise),
            Event::FileGone(exercise) => self.on_gone(exercise),
            Event::Preparing(what) => self.show(|session| session.lab = Lab::Preparing(what)),
            Event::Prepared(result) => self.on_prepared(result),
            Event::Compiled { generation } => self.on_compiled(generation),
            Event::CheckDone {
                generation,
                now,
                result,
            } => self.on_verdict(generation, now, result),
            Event::OneOfAll {
                generation,
                now,
                exercise,
                result,
            } => self.on_one_of_all(generation, now, exercise, result),
            Event::AllDone { generation } => self.on_all_done(generation),
            Event::MainOutput { generation, text } => self.on_output(generation, &text),
            Event::MainDone { generation, end } => self.on_main_done(generation, end),
            Event::ResetDone { exercise, result } => self.on_reset(exercise, result),
            Event::Explained { exercise, result } => self.on_explained(exercise, result),
            Event::Edited(result) => self.on_edited(result),
            Event::Compared { exercise, result } => self.on_compared(exercise, result),
            Event::Polling(why) => self.show(|session| session.polling = Some(why)),
            Event::ResetUndone(result) => self.on_undone(result),
            Event::Warning(text) => {
                self.replied = false;
                self.say(text)
            }
            Event::Tick(elapsed) if self.is_moving() => {
                self.show(|session| session.elapsed = elapsed)
            }
            Event::Tick(_) => Vec::new(),
            Event::Resize { width, height } => self.show(|session| session.size = (width, height)),
            Event::Signal(Signal::Interrupt) if self.editing => Vec::new(),
            Event::Signal(Signal::Interrupt | Signal::Stop) => self.quit(Farewell::Interrupted),
            Event::Signal(Signal::Suspend) => self.suspend(),
            Event::Signal(Signal::Resume) => self.resume(),
        }
    }

    /// It is this late now, in Unix seconds: gates open by it.
    pub fn at(&mut self, now: u64) {
        self.progress.at(now);
    }

    /// What to do first.
    pub fn start(&mut self) -> Vec<Action> {
        vec![Action::Draw, Action::Prepare]
    }

    /// Whether something on the screen moves by itself. Where nothing does, no tick is due: an idle watch sleeps.
    pub fn is_moving(&self) -> bool {
        !self.editing && (self.job.is_some() || matches!(self.lab, Lab::Preparing(_)))
    }

    fn on_save(&mut self, exercise: usize) -> Vec<Action> {
        self.welcome = false;
        if exercise != self.current {
            let name = self
                .manifest
                .exercises
                .get(exercise)
                .map(|exercise| exercise.name.clone());
            self.elsewhere = name.is_some().then_some(exercise);
            return match name {
                Some(name) => self.say(format!(
                    "you saved `{name}`, which is not the exercise shown; press g to go there"
                )),
                None => Vec::new(),
            };
        }
        self.gone = false;
        self.screen = Screen::Exercise;
        self.asked = false;
        // Another text: what was insisted on is not meant of it.
        self.insists = false;
        if !std::mem::take(&mut self.wrote) {
            self.notice = None;
        }
        self.check()
    }

    fn on_gone(&mut self, exercise: usize) -> Vec<Action> {
        if exercise != self.current {
            return Vec::new();
        }
        self.gone = true;
        self.found = None;
        let mut actions = self.cancel();
        actions.push(Action::Draw);
        actions
    }

    /// Begins a check of the current exercise, over whatever is running. Before the lab is ready, or while the learner
    /// is in the editor, it is kept for later.
    fn check(&mut self) -> Vec<Action> {
        self.finished = false;
        if !matches!(self.lab, Lab::Ready) || self.editing {
            return vec![Action::Draw];
        }
        // Only where nothing at all is open: nobody is brought to a closed one.
        if let Some(why) = self.closed(self.current) {
            return self.show(|session| session.found = Some(Found::Trouble(why)));
        }
        let generation = self.begin(JobKind::Check);
        vec![
            Action::StartCheck {
                generation,
                exercise: self.current,
            },
            Action::Draw,
        ]
    }

    /// A new generation: what comes from older ones is no longer listened to.
    fn begin(&mut self, kind: JobKind) -> u64 {
        self.generation += 1;
        self.elapsed = Default::default();
        self.job = Some(Job {
            generation: self.generation,
            kind,
            stage: Stage::Compiling,
        });
        self.generation
    }

    fn cancel(&mut self) -> Vec<Action> {
        if self.job.take().is_some() {
            vec![Action::Cancel]
        } else {
            Vec::new()
        }
    }

    fn is_current(&self, generation: u64) -> bool {
        self.job
            .as_ref()
            .is_some_and(|job| job.generation == generation)
    }

    /// Nothing goes on while we are stopped: its deadlines would pass meanwhile, and a verdict would be wrong.
    fn suspend(&mut self) -> Vec<Action> {
        self.give_way();
        let mut actions = self.cancel();
        actions.push(Action::Suspend);
        actions
    }

    fn resume(&mut self) -> Vec<Action> {
        if self.editing {
            // The terminal is the editor's still.
            return Vec::new();
        }
        let mut actions = vec![Action::Resume];
        actions.extend(if self.is_checking() || self.owes_a_check() {
            self.check()
        } else {
            vec![Action::Draw]
        });
        actions
    }

    /// A check that gave way to something else is owed, once the learner looks at the exercise again.
    fn owes_a_check(&self) -> bool {
        self.screen == Screen::Exercise && self.job.is_none() && self.found.is_none() && !self.gone
    }

    fn quit(&mut self, farewell: Farewell) -> Vec<Action> {
        let mut actions = self.cancel();
        actions.push(Action::Quit(farewell));
        actions
    }

    /// A word at the foot of the screen, until the next key or save.
    fn say(&mut self, text: impl Into<String>) -> Vec<Action> {
        self.notice = Some(text.into());
        self.notices += 1;
        vec![Action::Draw]
    }

    fn show(&mut self, change: impl FnOnce(&mut Self)) -> Vec<Action> {
        change(self);
        vec![Action::Draw]
    }
}

#[cfg(test)]
pub(in crate::core) mod tests;
