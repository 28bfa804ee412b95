//! Saves of every kind -> `FileChanged`: in place, by truncation, by rename, by `touch`; with events, or without.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use tokio::sync::mpsc::Sender;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout};

use super::Watched;
use super::baseline::{Baseline, Seen, State, look};
use super::nudges::{Nudge, Nudges};
use super::probe::Eyes;
use crate::core::session::Event;

/// How long a file must be left alone that nobody says is complete.
const QUIET: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(1);
/// How long an empty or missing file is not believed: an editor may be between truncating and writing, or between
/// deleting and renaming.
const DOUBT: Duration = Duration::from_millis(150);
const POLL: Duration = Duration::from_millis(500);
/// The coarsest time stamp of a file system (FAT: 2 s), and some more: a text as young as that is read again although
/// its stamp is the same.
const COARSE: Duration = Duration::from_secs(3);

pub(super) async fn watch(watched: Watched, baseline: Baseline, events: Sender<Event>) {
    // The watcher names real paths.
    let root = watched
        .root
        .canonicalize()
        .unwrap_or_else(|_| watched.root.clone());
    let paths = watched
        .files
        .iter()
        .map(|path| match path.strip_prefix(&watched.root) {
            Ok(inside) => root.join(inside),
            Err(_) => path.clone(),
        });
    let nudges = Nudges::new(root.clone(), paths.collect());
    let (exercises, owners) = (watched.exercises(), watched.owners.clone());
    let mut eyes = Eyes::open(nudges.clone(), watched.state_dir).await;
    let mut files = Files {
        nudges,
        baseline,
        events,
        doubted: BTreeMap::new(),
        polling: false,
        exercises,
        owners,
    };
    files.first_look().await;
    if let Some(why) = eyes.poll.take() {
        files.poll(why).await;
    }
    files.run(eyes).await;
}

struct Files {
    nudges: Nudges,
    baseline: Baseline,
    events: Sender<Event>,
    /// Looked empty or missing, and are looked at again then.
    doubted: BTreeMap<usize, Instant>,
    polling: bool,
    exercises: usize,
    /// Of the files behind those of the exercises.
    owners: Vec<usize>,
}

impl Files {
    async fn run(mut self, mut eyes: Eyes) {
        let mut polls = tokio::time::interval(POLL);
        polls.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let doubt = self.doubted.values().min().copied();
            let until = doubt.unwrap_or_else(Instant::now);
            // Each arm only waits: what was heard stays in `nudges` whichever arm is dropped.
            tokio::select! {
                () = self.nudges.heard() => self.settle().await,
                () = sleep_until(until), if doubt.is_some() => {}
                broken = eyes.tried(), if eyes.are_on_trial() => {
                    if let Some(why) = broken {
                        self.poll(why).await;
                    }
                }
                _ = polls.tick(), if self.polling => self.look_for_changes().await,
            }
            if let Some(why) = self.nudges.take_broken() {
                self.poll(why).await;
            }
            if self.look_at_nudged().await.is_err() {
                return;
            }
        }
    }

    /// Waits until nobody writes, or the writer says that it is done. Who never stops writing is looked at anyway.
    async fn settle(&self) {
        let until = Instant::now() + PATIENCE;
        while !self.nudges.are_complete()
            && Instant::now() < until
            && timeout(QUIET, self.nudges.heard()).await.is_ok()
        {}
    }

    async fn poll(&mut self, why: String) {
        if !self.polling {
            self.polling = true;
            // Where the loop is gone there is nobody to tell.
            let _ = self.events.send(Event::Polling(why)).await;
        }
    }

    /// Only to know later what is new; but a file that was checked already may have been saved before we watched.
    async fn first_look(&self) {
        for (exercise, path) in self.nudges.paths().iter().enumerate() {
            let Some(seen) = seen(path.clone()).await else {
                continue;
            };
            if self.baseline.set_if_unknown(exercise, seen).is_some() {
                let touched = Nudge {
                    touched: true,
                    complete: true,
                    ..Nudge::default()
                };
                self.nudges.add(exercise, touched);
            }
        }
    }

    /// Errs when the loop is gone.
    async fn look_at_nudged(&mut self) -> Result<(), ()> {
        let now = Instant::now();
        let nudged = self.nudges.take();
        let overdue: Vec<usize> = self
            .doubted
            .iter()
            .filter(|(exercise, until)| **until <= now && !nudged.contains_key(exercise))
            .map(|(exercise, _)| *exercise)
            .collect();
        for (exercise, nudge) in nudged {
            self.look_at(exercise, nudge, Trust::Doubt { until: now + DOUBT })
                .await?;
        }
        for exercise in overdue {
            self.look_at(exercise, Nudge::default(), Trust::Believe)
                .await?;
        }
        Ok(())
    }

    async fn look_at(&mut self, file: usize, nudge: Nudge, trust: Trust) -> Result<(), ()> {
        let Some(path) = self.nudges.paths().get(file).cloned() else {
            return Ok(());
        };
        let Some(seen) = seen(path).await else {
            return Ok(());
        };
        let news = is_news(self.baseline.get(file), seen, nudge);
        if let (true, true, Trust::Doubt { until }) = (news, seen.is_doubtful(), trust) {
            self.doubted.entry(file).or_insert(until);
            return Ok(());
        }
        self.doubted.remove(&file);
        self.baseline.set(file, seen);
        let event = match seen.state {
            _ if !news => return Ok(()),
            State::Gone if file < self.exercises => Event::FileGone(file),
            _ => Event::FileChanged(self.exercise_of(file)),
        };
        self.events.send(event).await.map_err(|_| ())
    }

    fn exercise_of(&self, file: usize) -> usize {
        let behind = file.checked_sub(self.exercises);
        behind
            .and_then(|at| self.owners.get(at).copied())
            .unwrap_or(file)
    }

    /// A round of polling: a file whose stamp is the same, and not of just now, is not read.
    async fn look_for_changes(&self) {
        for (exercise, path) in self.nudges.paths().iter().enumerate() {
            let before = self.baseline.get(exercise);
            let stamp = spawn_blocking({
                let path = path.clone();
                move || {
                    path.metadata()
                        .and_then(|metadata| metadata.modified())
                        .ok()
                }
            });
            let stamp = stamp.await.ok().flatten();
            let young = stamp.is_none_or(|stamp| {
                SystemTime::now()
                    .duration_since(stamp)
                    .is_ok_and(|age| age < COARSE)
            });
            if young || before.is_none_or(|before| before.modified != stamp) {
                self.nudges.add(
                    exercise,
                    Nudge {
                        touched: true,
                        complete: true,
                        ..Nudge::default()
                    },
                );
            }
        }
    }
}

/// Whether an empty or missing file is believed.
#[derive(Debug, Clone, Copy)]
enum Trust {
    Doubt { until: Instant },
    Believe,
}

/// Other bytes are news; the same bytes are, if somebody touched the file and wrote nothing.
fn is_news(before: Option<Seen>, seen: Seen, nudge: Nudge) -> bool {
    let Some(before) = before else { return true };
    let touched = nudge.touched && !nudge.written && before.modified != seen.modified;
    before.state != seen.state || touched
}

async fn seen(path: PathBuf) -> Option<Seen> {
    spawn_blocking(move || look(&path).0).await.ok()
}
