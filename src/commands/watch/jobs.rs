//! What watch mode has others do: each job is a future that tells by events how it goes. Dropping one ends it.

use std::cell::{OnceCell, RefCell};
use std::io::ErrorKind;
use std::rc::Rc;

use anyhow::{Context, Result};
use futures::future::LocalBoxFuture;
use futures::{FutureExt, StreamExt, stream};
use tokio::sync::mpsc::Sender;
use tokio::task::{JoinSet, spawn_blocking};

use super::super::checking::{Checker, cores, side_by_side};
use super::super::{explain, reset, solution};
use super::edit::Edit;
use super::main_run;
use crate::compile::Reuse;
use crate::core::editing::Editor;
use crate::core::manifest::{Exercise, Subject};
use crate::core::record::Place;
use crate::core::session::{Action, Checked, Event};
use crate::core::view::title;
use crate::prepare::{self, Cache, Lab, Options, Progress};
use crate::store::now;
use crate::watch::{Baseline, Keyboard};
use crate::workbook::{Workbook, cache_root};

pub(super) struct Jobs {
    workbook: Workbook,
    offline: bool,
    baseline: Baseline,
    events: Sender<Event>,
    lab: OnceCell<Lab>,
    /// Resets and pages of the book go on beside a job: one in the middle is not to be dropped.
    beside: RefCell<JoinSet<()>>,
}

impl Jobs {
    pub(super) fn new(
        workbook: Workbook,
        offline: bool,
        baseline: Baseline,
        events: Sender<Event>,
    ) -> Self {
        Self {
            workbook,
            offline,
            baseline,
            events,
            lab: OnceCell::new(),
            beside: RefCell::default(),
        }
    }

    /// The job that an action asks for; `None` where it asks for none.
    pub(super) fn job(self: Rc<Self>, action: &Action) -> Option<LocalBoxFuture<'static, ()>> {
        Some(match *action {
            Action::Prepare => async move { self.prepare().await }.boxed_local(),
            Action::StartCheck {
                generation,
                exercise,
            } => async move { self.check(generation, exercise).await }.boxed_local(),
            Action::StartAll {
                generation,
                ref exercises,
            } => {
                let exercises = exercises.clone();
                async move { self.check_all(generation, &exercises).await }.boxed_local()
            }
            Action::StartMain {
                generation,
                exercise,
            } => async move { self.main(generation, exercise).await }.boxed_local(),
            _ => return None,
        })
    }

    async fn prepare(&self) {
        let prepared = self.lab_ready().await.map_err(|error| format!("{error:#}"));
        self.tell(Event::Prepared(prepared)).await;
    }

    async fn lab_ready(&self) -> Result<()> {
        if self.lab.get().is_some() {
            return Ok(());
        }
        let cache = Cache {
            root: cache_root()?,
        };
        let options = Options {
            offline: self.offline,
        };
        // A full channel has newer news in it than this.
        let say =
            |progress: Progress| drop(self.events.try_send(Event::Preparing(words(&progress))));
        let lab = prepare::lab(&cache, &self.workbook.lab_sources()?, options, say).await?;
        self.lab.set(lab).ok().context("the lab was prepared twice")
    }

    fn checker(&self, jobs: usize) -> Result<Checker<'_>> {
        let lab = self.lab.get().context("the lab is not ready")?;
        Ok(Checker {
            workbook: &self.workbook,
            lab,
            jobs,
            sandbox: None,
        })
    }

    fn exercise(&self, exercise: usize) -> Result<&Exercise> {
        at(&self.workbook, exercise)
    }

    async fn check(&self, generation: u64, exercise: usize) {
        let result = match self.verdict(generation, exercise).await {
            Ok(Some(checked)) => Ok(Box::new(checked)),
            Ok(None) => return self.tell(Event::FileGone(exercise)).await,
            Err(error) => Err(format!("{error:#}")),
        };
        self.tell(Event::CheckDone {
            generation,
            now: now(),
            result,
        })
        .await;
    }

    /// `None`: there is no file.
    async fn verdict(&self, generation: u64, exercise: usize) -> Result<Option<Checked>> {
        let subject = self.exercise(exercise)?;
        let path = self.workbook.exercise_file(subject).path;
        let baseline = self.baseline.clone();
        // Before rustc reads it: what is saved from here on is news.
        let noted = spawn_blocking(move || baseline.read(exercise, &path).map(drop)).await?;
        if noted.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(None);
        }
        let compiled = self
            .checker(side_by_side())?
            .compile(subject, &Subject::Exercise, Reuse::Incremental)
            .await?;
        self.tell(Event::Compiled { generation }).await;
        let checked = compiled.run().await?;
        Ok(Some(Checked {
            judged: checked.judged,
            source: checked.source,
        }))
    }

    async fn check_all(&self, generation: u64, exercises: &[usize]) {
        let all = self.workbook.manifest().exercises.iter().enumerate();
        let chosen = all.filter(|(index, _)| exercises.contains(index));
        let results = stream::iter(chosen)
            .map(|(index, exercise)| async move { (index, self.outcome(exercise).await) })
            .buffer_unordered(cores());
        results
            .for_each(|(exercise, result)| {
                self.tell(Event::OneOfAll {
                    generation,
                    now: now(),
                    exercise,
                    result,
                })
            })
            .await;
        self.tell(Event::AllDone { generation }).await;
    }

    async fn outcome(&self, exercise: &Exercise) -> Result<&'static str, String> {
        let checked = match self.checker(1) {
            Ok(checker) => {
                checker
                    .check(exercise, &Subject::Exercise, Reuse::Once)
                    .await
            }
            Err(error) => Err(error),
        };
        checked
            .map(|checked| title(&checked.judged.verdict))
            .map_err(|error| format!("{error:#}"))
    }

    async fn main(&self, generation: u64, exercise: usize) {
        let end = match (self.exercise(exercise), self.lab.get()) {
            (Ok(exercise), Some(lab)) => {
                main_run::run(&self.workbook, lab, exercise, generation, &self.events).await
            }
            (Err(error), _) => Err(error),
            (_, None) => Ok("the lab is not ready".to_owned()),
        };
        let end = end.unwrap_or_else(|error| format!("{error:#}"));
        self.tell(Event::MainDone { generation, end }).await;
    }

    /// Brings the book's page, beside whatever runs.
    pub(super) fn explain(&self, exercise: usize) {
        self.beside(
            move |workbook| explain::page(workbook, at(workbook, exercise)?),
            move |result| Event::Explained { exercise, result },
        );
    }

    /// Brings the learner's fix and ours, beside whatever runs.
    pub(super) fn compare(&self, exercise: usize) {
        self.beside(
            move |workbook| solution::pairs(workbook, at(workbook, exercise)?),
            move |result| Event::Compared { exercise, result },
        );
    }

    /// Restores an exercise, beside whatever runs.
    pub(super) fn reset(&self, exercise: usize) {
        self.beside(
            move |workbook| reset::restored(workbook, at(workbook, exercise)?),
            move |result| Event::ResetDone { exercise, result },
        );
    }

    /// Brings back what the last reset replaced, beside whatever runs.
    pub(super) fn undo(&self, exercise: usize) {
        self.beside(
            move |workbook| reset::undo(workbook, at(workbook, exercise)?),
            Event::ResetUndone,
        );
    }

    pub(super) fn edit(&self, editor: Editor, exercise: usize, at: Option<Place>) -> Result<Edit> {
        let exercise = self.exercise(exercise)?;
        Ok(Edit::new(editor, &self.workbook, exercise, at))
    }

    /// Opens the editor, beside whatever runs.
    pub(super) fn open(&self, edit: Edit, keyboard: Keyboard) {
        let events = self.events.clone();
        self.beside.borrow_mut().spawn(async move {
            if edit.takes_the_terminal() {
                keyboard.rest().await;
            }
            edit.run(events).await;
        });
    }

    fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Workbook) -> Result<T> + Send + 'static,
        event: impl FnOnce(Result<T, String>) -> Event + Send + 'static,
    ) {
        let (workbook, events) = (self.workbook.clone(), self.events.clone());
        self.beside.borrow_mut().spawn(async move {
            let result = match spawn_blocking(move || work(&workbook)).await {
                Ok(Ok(found)) => Ok(found),
                Ok(Err(error)) => Err(format!("{error:#}")),
                Err(error) => Err(error.to_string()),
            };
            let _ = events.send(event(result)).await;
        });
    }

    async fn tell(&self, event: Event) {
        // The loop that listens owns this job: it cannot be gone.
        let _ = self.events.send(event).await;
    }
}

fn at(workbook: &Workbook, exercise: usize) -> Result<&Exercise> {
    let exercises = &workbook.manifest().exercises;
    exercises
        .get(exercise)
        .context("info.toml has no such exercise")
}

fn words(progress: &Progress) -> String {
    match progress {
        Progress::WaitingForOther => {
            "waiting for another asynclings that is building the lab".to_owned()
        }
        Progress::Fetching { what } => format!("preparing the lab: {what}"),
        Progress::Compiling { done, total, krate } => {
            let filled = done * 20 / (*total).max(1);
            let bar = format!(
                "[{}{}]",
                "#".repeat(filled),
                "-".repeat(20_usize.saturating_sub(filled))
            );
            format!("building the lab, once: {bar} {done} of {total}, {krate}")
        }
        Progress::Ready => "the lab is ready".to_owned(),
    }
}
