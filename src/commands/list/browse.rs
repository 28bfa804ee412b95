//! The loop around the pure table. Wiring only.

use anyhow::{Context, Result};
use tokio::task::spawn_blocking;

use super::super::{explain, reset};
use crate::core::list::{Action, Facts, Input, List};
use crate::core::manifest::Exercise;
use crate::core::progress::Change;
use crate::core::session::{Event, Key, Signal};
use crate::core::view::{Look, draw_list, file_url};
use crate::exit::Outcome;
use crate::program;
use crate::store::{Store, Warning};
use crate::terminal::{self, Terminal};
use crate::watch::{self, Typing};
use crate::workbook::Workbook;

/// How somebody left the table.
enum Left {
    Asked,
    Interrupted,
    /// For this exercise, by its index.
    For(usize),
}

/// # Errors
/// Where the terminal cannot be used; trouble with an exercise is shown in the table.
pub(super) async fn browse(
    workbook: Workbook,
    store: Store,
    warning: Option<Warning>,
) -> Result<Outcome> {
    let mut browse = Browse {
        list: List::default(),
        size: terminal::dimensions(),
        notice: warning,
        workbook,
        store,
    };
    let mut terminal = Terminal::enter().context("cannot use this terminal for a table")?;
    let left = browse.run(&mut terminal).await;
    drop(terminal);
    match left? {
        Left::Asked => Ok(Outcome::Passed),
        Left::Interrupted => Ok(Outcome::Interrupted),
        Left::For(exercise) => browse.goes_on_with(exercise),
    }
}

struct Browse {
    list: List,
    size: (usize, usize),
    notice: Option<Warning>,
    workbook: Workbook,
    store: Store,
}

impl Browse {
    async fn run(&mut self, terminal: &mut Terminal) -> Result<Left> {
        let (sender, mut events) = watch::channel();
        let _sources = watch::listen(Typing::Keys, &sender);
        self.with_facts(|list, facts| list.open(facts));
        loop {
            self.draw(terminal)?;
            // We hold a sender: the channel does not close.
            let Some(event) = events.recv().await else {
                return Ok(Left::Interrupted);
            };
            let input = match event {
                Event::Key(Key::CtrlC) | Event::Signal(Signal::Interrupt | Signal::Stop) => {
                    return Ok(Left::Interrupted);
                }
                Event::Key(Key::CtrlZ) | Event::Signal(Signal::Suspend) => {
                    terminal.suspend();
                    continue;
                }
                Event::Signal(Signal::Resume) => {
                    terminal.resume()?;
                    continue;
                }
                Event::Resize { width, height } => {
                    self.size = (width, height);
                    terminal.forget()?;
                    continue;
                }
                Event::Key(key) => Input::Key(key),
                Event::Mouse(mouse) => Input::Mouse(mouse),
                _ => continue,
            };
            self.notice = None;
            for action in self.with_facts(|list, facts| list.on(input, facts)) {
                if let Some(left) = self.act(action).await? {
                    return Ok(left);
                }
            }
        }
    }

    async fn act(&mut self, action: Action) -> Result<Option<Left>> {
        match action {
            Action::Leave => return Ok(Some(Left::Asked)),
            Action::GoTo(exercise) => return Ok(Some(Left::For(exercise))),
            Action::Reset(exercise) => {
                let reset = self.beside(exercise, reset::restored).await;
                match reset {
                    Ok(text) => {
                        self.list
                            .say(format!("{text}; u brings back what it replaced"));
                        let name = self.exercise(exercise)?.name.clone();
                        self.record(Change::Reset { name });
                    }
                    Err(error) => self.list.say(format!("{error:#}")),
                }
            }
            Action::UndoReset(exercise) => {
                let undone = self.beside(exercise, reset::undo).await;
                let text = undone.unwrap_or_else(|error| format!("{error:#}"));
                self.list.say(text);
            }
            Action::Explain(exercise) => {
                let page = self.beside(exercise, explain::page).await;
                let page = page.map_err(|error| format!("{error:#}"));
                self.list.explained(exercise, page);
            }
            Action::Hint { exercise, level } => {
                let name = self.exercise(exercise)?.name.clone();
                self.record(Change::HintTaken { name, level });
            }
        }
        Ok(None)
    }

    /// Work with files, where it may wait for the disk.
    async fn beside(
        &self,
        exercise: usize,
        work: impl FnOnce(&Workbook, &Exercise) -> Result<String> + Send + 'static,
    ) -> Result<String> {
        let (workbook, exercise) = (self.workbook.clone(), self.exercise(exercise)?.clone());
        spawn_blocking(move || work(&workbook, &exercise)).await?
    }

    fn record(&mut self, change: Change) {
        if let Some(warning) = self.store.record(&[change]) {
            self.notice = Some(warning);
        }
    }

    fn exercise(&self, index: usize) -> Result<&Exercise> {
        let exercises = &self.workbook.manifest().exercises;
        exercises
            .get(index)
            .context("info.toml has no such exercise")
    }

    fn goes_on_with(mut self, exercise: usize) -> Result<Outcome> {
        let exercise = self.exercise(exercise)?.clone();
        let name = exercise.name.clone();
        let file = self.workbook.exercise_file(&exercise).display;
        super::output::warn(self.store.record(&[Change::MovedTo { name: name.clone() }]));
        super::output::print([format!(
            "`{name}` is the current exercise now: {file}; `asynclings` begins there"
        )])?;
        Ok(Outcome::Passed)
    }

    fn draw(&mut self, terminal: &mut Terminal) -> Result<()> {
        let links =
            terminal::has_links().then(|| file_url(&self.workbook.root().to_string_lossy()));
        let look = Look {
            width: self.size.0,
            colour: terminal::colour(),
            links,
            program: program::name(),
        };
        let drawn = self.with_facts(|list, facts| draw_list(list, facts, &look));
        self.list.clamp_scroll(drawn.most);
        terminal.listen_to_mouse(true)?;
        terminal
            .draw(&drawn.rows)
            .context("cannot write to the terminal")
    }

    fn with_facts<T>(&mut self, look: impl FnOnce(&mut List, &Facts) -> T) -> T {
        let (manifest, progress) = (self.workbook.manifest(), self.store.progress());
        let current = progress.current(manifest);
        let current = manifest
            .exercises
            .iter()
            .position(|exercise| Some(exercise) == current);
        let facts = Facts {
            manifest,
            progress,
            current: current.unwrap_or(0),
            size: self.size,
            notice: self.notice.as_deref(),
        };
        look(&mut self.list, &facts)
    }
}
