//! Watch mode: the loop around the pure session. Wiring only.

mod edit;
mod face;
mod jobs;
mod main_run;
mod saver;

use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures::future::LocalBoxFuture;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use self::face::Face;
use self::jobs::Jobs;
use self::saver::Saver;
use super::update;
use crate::cli::Shared;
use crate::core::editing::Editor;
use crate::core::record::Place;
use crate::core::session::{Action, Event, Farewell, Found, Session};
use crate::core::view::{Look, title};
use crate::exit::Outcome;
use crate::store::{Store, now};
use crate::terminal;
use crate::watch::{self, Keyboard, Typing, Watched};
use crate::workbook::Workbook;

/// Often enough for a spinner, seldom enough to cost nothing. It runs only while something moves.
const TICK: Duration = Duration::from_millis(100);

/// # Errors
/// Where there is no workbook or no terminal; trouble later on is shown on the screen.
pub async fn watch(shared: &Shared) -> Result<Outcome> {
    let workbook = Workbook::chosen(shared)?;
    let (store, warning) = Store::open(&workbook);
    let advice = update::advice(&workbook);
    let session = session(&workbook, &store);
    let (sender, events) = watch::channel();
    let (typing, face) = if shared.plain || terminal::is_dumb() {
        (Typing::Lines, Face::lines())
    } else {
        (Typing::Keys, Face::screen()?)
    };
    let mut screen = Screen {
        look: face.look(file_url(workbook.root())),
        session,
        face,
    };
    // Before anything slow: sources, lab and checks come after the first screen.
    screen.session.on(Event::Resize {
        width: screen.look.width,
        height: terminal::dimensions().1,
    });
    screen.draw()?;
    let sources = watch::start(watched(&workbook), typing, &sender);
    let jobs = Rc::new(Jobs::new(
        workbook,
        shared.offline,
        sources.baseline.clone(),
        sender.clone(),
    ));
    let saver = Saver::start(store, sender);
    let mut watch = Watch {
        screen,
        jobs,
        saver,
        events,
        keyboard: sources.keyboard.clone(),
        job: None,
        started: Instant::now(),
    };
    for warning in warning.into_iter().chain(advice) {
        watch.screen.session.on(Event::Warning(warning));
    }
    let farewell = watch.run().await;
    let Watch {
        screen,
        saver,
        jobs,
        ..
    } = watch;
    // An editor that is open gives the terminal back first.
    drop(jobs);
    let last_words = last_words(&screen.session);
    // Progress is on disk before the terminal says that we are gone.
    let lost = saver.finish().await;
    drop(sources);
    drop(screen);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{last_words}")?;
    lost.into_iter()
        .try_for_each(|warning| writeln!(out, "{warning}"))?;
    Ok(match farewell? {
        Farewell::Asked => Outcome::Passed,
        Farewell::Interrupted => Outcome::Interrupted,
    })
}

fn session(workbook: &Workbook, store: &Store) -> Session {
    let manifest = workbook.manifest().clone();
    let files = manifest
        .exercises
        .iter()
        .map(|exercise| workbook.exercise_file(exercise).display);
    let files = files.collect();
    Session::new(manifest, store.progress().clone(), files).with_editor(editor())
}

fn editor() -> Option<Editor> {
    let named = |name| std::env::var(name).ok();
    Editor::named(named("VISUAL").as_deref(), named("EDITOR").as_deref())
}

fn watched(workbook: &Workbook) -> Watched {
    let exercises = &workbook.manifest().exercises;
    let mut files: Vec<_> = exercises
        .iter()
        .map(|exercise| workbook.exercise_file(exercise).path)
        .collect();
    let mut owners = Vec::new();
    for (owner, exercise) in exercises.iter().enumerate() {
        for file in workbook.exercise_files(exercise).into_iter().skip(1) {
            files.push(file.path);
            owners.push(owner);
        }
    }
    Watched {
        root: workbook.exercises_dir(),
        state_dir: workbook.state_dir(),
        files,
        owners,
    }
}

fn file_url(folder: &Path) -> String {
    crate::core::view::file_url(&folder.to_string_lossy())
}

/// What stays in the terminal after quitting: the alternate screen takes the rest with it.
fn last_words(session: &Session) -> String {
    let name = session
        .exercise()
        .map_or("", |exercise| exercise.name.as_str());
    let found = match session.found() {
        Some(Found::Verdict(checked)) => title(&checked.judged.verdict),
        _ => "not checked",
    };
    let (done, total) = session.score();
    format!("{name}: {found}. {done} of {total} done; `asynclings` goes on from here.")
}

/// What is shown, and where.
struct Screen {
    session: Session,
    look: Look,
    face: Face,
}

impl Screen {
    fn draw(&mut self) -> Result<()> {
        self.face.show(&mut self.session, &mut self.look)
    }
}

struct Watch {
    screen: Screen,
    keyboard: Keyboard,
    jobs: Rc<Jobs>,
    saver: Saver,
    events: mpsc::Receiver<Event>,
    /// At most one; dropping it ends its processes.
    job: Option<LocalBoxFuture<'static, ()>>,
    started: Instant,
}

impl Watch {
    async fn run(&mut self) -> Result<Farewell> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let first = self.screen.session.start();
        if let Some(farewell) = self.act(first)? {
            return Ok(farewell);
        }
        loop {
            // Cancel safe: `recv` and `tick` lose nothing when dropped, and the job is only borrowed.
            let event = tokio::select! {
                event = self.events.recv() => event,
                () = progress(&mut self.job), if self.job.is_some() => {
                    self.job = None;
                    continue;
                }
                _ = ticks.tick(), if self.screen.session.is_moving() => Some(Event::Tick(self.started.elapsed())),
            };
            // The saver and the jobs hold senders as long as we live.
            let Some(event) = event else {
                return Ok(Farewell::Interrupted);
            };
            if let Some(farewell) = self.take_in(event)? {
                return Ok(farewell);
            }
        }
    }

    /// An event and those that wait behind it; then one frame for all of them. Lines are not drawn over: each event has
    /// its own.
    fn take_in(&mut self, first: Event) -> Result<Option<Farewell>> {
        let mut actions = Vec::new();
        let mut next = Some(first);
        while let Some(event) = next {
            if matches!(event, Event::Resize { .. }) {
                self.screen.face.forget()?;
            }
            self.screen.session.at(now());
            actions.extend(self.screen.session.on(event));
            if let Face::Lines(_) = self.screen.face
                && let Some(farewell) = self.act(std::mem::take(&mut actions))?
            {
                return Ok(Some(farewell));
            }
            next = self.events.try_recv().ok();
        }
        self.act(actions)
    }

    fn act(&mut self, actions: Vec<Action>) -> Result<Option<Farewell>> {
        let mut stale = false;
        for action in actions {
            match action {
                Action::Draw => stale = true,
                Action::Quit(farewell) => return Ok(Some(farewell)),
                Action::Suspend => self.screen.face.suspend(),
                Action::Resume => {
                    self.screen.face.resume()?;
                    self.keyboard.go_on();
                }
                Action::SaveProgress(changes) => self.saver.save(changes),
                Action::Cancel => self.job = None,
                Action::Reset(exercise) => self.jobs.reset(exercise),
                Action::UndoReset(exercise) => self.jobs.undo(exercise),
                Action::Explain(exercise) => self.jobs.explain(exercise),
                Action::Edit { exercise, at } => self.edit(exercise, at)?,
                Action::Compare(exercise) => self.jobs.compare(exercise),
                Action::Prepare
                | Action::StartCheck { .. }
                | Action::StartAll { .. }
                | Action::StartMain { .. } => {
                    self.start(&action);
                }
            }
        }
        if stale {
            self.screen.draw()?;
        }
        Ok(None)
    }

    /// One in the terminal is lent that first, and nobody else reads the keyboard meanwhile.
    fn edit(&mut self, exercise: usize, at: Option<Place>) -> Result<()> {
        let Some(editor) = self.screen.session.editor().cloned() else {
            return Ok(());
        };
        let edit = self.jobs.edit(editor, exercise, at)?;
        if edit.takes_the_terminal() {
            self.screen.face.lend(&edit.words())?;
        }
        self.jobs.open(edit, self.keyboard.clone());
        Ok(())
    }

    /// The job before ends with its future: its process groups are killed.
    fn start(&mut self, action: &Action) {
        self.started = Instant::now();
        self.job = self.jobs.clone().job(action);
    }
}

/// Lets the job go on; cancelling this leaves it where it is.
async fn progress(job: &mut Option<LocalBoxFuture<'static, ()>>) {
    match job {
        Some(job) => job.await,
        None => std::future::pending().await,
    }
}
