//! Saves progress one change after the other, on a thread that may wait for the disk.

use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::core::progress::Change;
use crate::core::session::Event;
use crate::store::{Store, Warning};

/// Changes that may wait for the disk: more than a learner makes in a second.
const WAITING_CHANGES: usize = 256;

pub(super) struct Saver {
    changes: mpsc::Sender<Vec<Change>>,
    task: JoinHandle<Option<Warning>>,
    lost: Option<Warning>,
}

impl Saver {
    pub(super) fn start(store: Store, events: mpsc::Sender<Event>) -> Self {
        let (changes, waiting) = mpsc::channel(WAITING_CHANGES);
        Self {
            changes,
            task: tokio::spawn(save(store, waiting, events)),
            lost: None,
        }
    }

    /// Never waits: the loop has keys to hear.
    pub(super) fn save(&mut self, changes: Vec<Change>) {
        if self.changes.try_send(changes).is_err() {
            self.lost =
                Some("the disk is too slow: progress of the last minutes is not saved".to_owned());
        }
    }

    /// Waits until everything is on disk; what was not saved last, if anything.
    pub(super) async fn finish(self) -> Vec<Warning> {
        drop(self.changes);
        let last = self.task.await.ok().flatten();
        self.lost.into_iter().chain(last).collect()
    }
}

async fn save(
    mut store: Store,
    mut waiting: mpsc::Receiver<Vec<Change>>,
    events: mpsc::Sender<Event>,
) -> Option<Warning> {
    let mut last = None;
    while let Some(mut changes) = waiting.recv().await {
        while let Ok(more) = waiting.try_recv() {
            changes.extend(more);
        }
        let saved = spawn_blocking(move || {
            let warning = store.record(&changes);
            (store, warning)
        });
        let warning;
        (store, warning) = saved.await.ok()?;
        last.clone_from(&warning);
        if let Some(warning) = warning {
            // At the end nobody listens any more; `finish` gives it back instead.
            let _ = events.try_send(Event::Warning(warning));
        }
    }
    last
}
