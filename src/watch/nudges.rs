//! Hints that a file may have changed, put together until somebody looks: never more than one a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::EventKind;
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use tokio::sync::Notify;

/// What was heard of one file since the last look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Nudge {
    /// Its bytes may be others.
    pub(super) written: bool,
    /// Its times or rights may be others: `touch` says no more than that.
    pub(super) touched: bool,
    /// Whoever wrote has finished: there is nothing to wait for.
    pub(super) complete: bool,
}

#[derive(Debug, Default)]
struct Pending {
    files: BTreeMap<usize, Nudge>,
    /// The watcher is of no more use, and why.
    broken: Option<String>,
}

/// Filled on the watcher's own thread, emptied by the task that looks at files.
#[derive(Debug, Clone)]
pub(super) struct Nudges {
    root: PathBuf,
    paths: Arc<[PathBuf]>,
    pending: Arc<Mutex<Pending>>,
    wake: Arc<Notify>,
}

impl Nudges {
    pub(super) fn new(root: PathBuf, paths: Vec<PathBuf>) -> Self {
        Self {
            root,
            paths: paths.into(),
            pending: Arc::default(),
            wake: Arc::default(),
        }
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) async fn heard(&self) {
        self.wake.notified().await;
    }

    pub(super) fn take(&self) -> BTreeMap<usize, Nudge> {
        std::mem::take(&mut self.lock().files)
    }

    pub(super) fn take_broken(&self) -> Option<String> {
        self.lock().broken.take()
    }

    /// Whether every file that was heard of is complete.
    pub(super) fn are_complete(&self) -> bool {
        self.lock().files.values().all(|nudge| nudge.complete)
    }

    pub(super) fn add(&self, exercise: usize, nudge: Nudge) {
        let mut pending = self.lock();
        let known = pending.files.entry(exercise).or_default();
        known.written |= nudge.written;
        known.touched |= nudge.touched;
        // A write after a close begins another save.
        known.complete = nudge.complete || (known.complete && !nudge.written);
        drop(pending);
        self.wake.notify_one();
    }

    /// Takes in what the watcher says.
    pub(super) fn on(&self, event: notify::Result<notify::Event>) {
        match event {
            Ok(event) if event.need_rescan() => self.everything(),
            Ok(event) => {
                if let Some(nudge) = meaning(event.kind) {
                    event
                        .paths
                        .iter()
                        .for_each(|path| self.on_path(path, event.kind, nudge));
                }
            }
            Err(error) => self.on_broken(error.to_string()),
        }
    }

    fn on_path(&self, path: &Path, kind: EventKind, nudge: Nudge) {
        if let Some(exercise) = self.paths.iter().position(|known| known == path) {
            return self.add(exercise, nudge);
        }
        let comes_or_goes = matches!(
            kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        if !comes_or_goes {
            return;
        }
        if path == self.root {
            // The watch went with the folder, whatever is put in its place.
            self.on_broken("the exercises' folder was replaced".to_owned());
        }
        // A folder that comes may have brought its files along, before it was watched.
        for (exercise, known) in self.paths.iter().enumerate() {
            if known.starts_with(path) {
                self.add(
                    exercise,
                    Nudge {
                        written: true,
                        ..Nudge::default()
                    },
                );
            }
        }
    }

    pub(super) fn everything(&self) {
        for exercise in 0..self.paths.len() {
            self.add(
                exercise,
                Nudge {
                    touched: true,
                    ..Nudge::default()
                },
            );
        }
    }

    fn on_broken(&self, why: String) {
        self.lock().broken = Some(why);
        self.everything();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an event says about a file's bytes; reading one (rustc does, and we do) says nothing.
fn meaning(kind: EventKind) -> Option<Nudge> {
    let (written, touched, complete) = match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => (false, false, true),
        EventKind::Access(_) => return None,
        EventKind::Modify(ModifyKind::Metadata(_)) => (false, true, false),
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => {
            (true, false, true)
        }
        EventKind::Modify(_) | EventKind::Create(_) | EventKind::Remove(_) => (true, false, false),
        EventKind::Any | EventKind::Other => (true, true, false),
    };
    Some(Nudge {
        written,
        touched,
        complete,
    })
}

#[cfg(test)]
mod tests {
    use notify::event::{DataChange, MetadataKind};

    use super::*;

    const WRITE: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    const CLOSE: EventKind = EventKind::Access(AccessKind::Close(AccessMode::Write));
    const TOUCH: EventKind = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));

    fn heard(kinds: &[EventKind]) -> Nudge {
        let nudges = Nudges::new("/w".into(), vec!["/w/a.rs".into()]);
        for kind in kinds {
            nudges.on(Ok(notify::Event::new(*kind).add_path("/w/a.rs".into())));
        }
        nudges.take().remove(&0).unwrap_or_default()
    }

    #[test]
    fn a_save_is_complete_once_it_is_closed() {
        assert!(!heard(&[WRITE, WRITE]).complete);
        assert!(heard(&[WRITE, CLOSE]).complete);
        assert!(!heard(&[WRITE, CLOSE, WRITE]).complete);
    }

    #[test]
    fn a_touch_is_told_from_a_write() {
        assert_eq!(
            heard(&[TOUCH, CLOSE]),
            Nudge {
                written: false,
                touched: true,
                complete: true
            }
        );
        assert!(heard(&[TOUCH, WRITE, CLOSE]).written);
    }

    #[test]
    fn a_read_says_nothing() {
        assert_eq!(
            heard(&[EventKind::Access(AccessKind::Close(AccessMode::Read))]),
            Nudge::default()
        );
    }

    #[test]
    fn a_folder_that_comes_back_brings_its_files() {
        let nudges = Nudges::new("/w".into(), vec!["/w/a/x.rs".into(), "/w/b/y.rs".into()]);
        let kind = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        nudges.on(Ok(notify::Event::new(kind).add_path("/w/a".into())));
        assert_eq!(nudges.take().into_keys().collect::<Vec<_>>(), [0]);
    }
}
