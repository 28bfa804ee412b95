//! Files, keys and signals -> one bounded channel of events. Decides nothing: `core::session` does.

mod baseline;
mod files;
mod keys;
mod nudges;
mod probe;
mod signals;

use std::path::PathBuf;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::core::session::Event;

pub use baseline::Baseline;
pub use keys::{Keyboard, Typing};

/// Events that may wait for the loop. A source that finds it full waits as well, and puts its news together meanwhile.
const WAITING_EVENTS: usize = 64;

/// What is watched.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The exercises' folder.
    pub root: PathBuf,
    /// A folder of ours on the same disk.
    pub state_dir: PathBuf,
    /// The file at fault of each exercise, in their order; then whatever else belongs to one.
    pub files: Vec<PathBuf>,
    /// Of the files behind those of the exercises: which exercise each belongs to.
    pub owners: Vec<usize>,
}

impl Watched {
    /// How many exercises there are.
    fn exercises(&self) -> usize {
        self.files.len() - self.owners.len()
    }
}

/// Keys and signals alone, for what is no watch mode. They end with what is given back.
#[derive(Debug)]
pub struct Listening {
    pub keyboard: Keyboard,
    tasks: JoinSet<()>,
}

/// What is typed and sent from now on is heard. Call it inside a runtime.
pub fn listen(typing: Typing, events: &mpsc::Sender<Event>) -> Listening {
    let mut tasks = JoinSet::new();
    tasks.spawn(signals::watch(signals::register(), events.clone()));
    Listening {
        keyboard: keys::start(typing, events.clone()),
        tasks,
    }
}

/// The tasks that bring events; they end with it.
#[derive(Debug)]
pub struct Sources {
    pub baseline: Baseline,
    pub keyboard: Keyboard,
    _tasks: JoinSet<()>,
}

pub fn channel() -> (mpsc::Sender<Event>, mpsc::Receiver<Event>) {
    mpsc::channel(WAITING_EVENTS)
}

/// Starts all sources. Call it inside a runtime.
pub fn start(watched: Watched, typing: Typing, events: &mpsc::Sender<Event>) -> Sources {
    let baseline = Baseline::default();
    let Listening {
        keyboard,
        mut tasks,
    } = listen(typing, events);
    tasks.spawn(files::watch(watched, baseline.clone(), events.clone()));
    Sources {
        baseline,
        keyboard,
        _tasks: tasks,
    }
}
