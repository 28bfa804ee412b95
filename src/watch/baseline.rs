//! What every file looked like when it was last taken notice of: a save counts only if it differs from that.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A file's state. Two that are equal need no check between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Text {
        hash: u64,
        len: u64,
    },
    Gone,
    /// A folder, or a file that may not be read: the check will say so.
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) state: State,
    pub(super) modified: Option<SystemTime>,
}

impl Seen {
    /// A save may be going on that will look otherwise when it is done.
    pub(super) fn is_doubtful(&self) -> bool {
        matches!(self.state, State::Gone | State::Text { len: 0, .. })
    }
}

/// Shared by the watcher and by whoever begins a check.
#[derive(Debug, Clone, Default)]
pub struct Baseline(Arc<Mutex<HashMap<usize, Seen>>>);

impl Baseline {
    /// Reads a file to be checked, and remembers this text as the one that is. Blocks on the disk.
    ///
    /// # Errors
    /// Those of reading; also where the file is no UTF-8, or is no file.
    pub fn read(&self, exercise: usize, path: &Path) -> io::Result<String> {
        // The time first: a save in between then looks new, never old.
        let (seen, bytes) = look(path);
        self.set(exercise, seen);
        String::from_utf8(bytes?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    pub(super) fn get(&self, exercise: usize) -> Option<Seen> {
        self.lock().get(&exercise).copied()
    }

    pub(super) fn set(&self, exercise: usize, seen: Seen) {
        self.lock().insert(exercise, seen);
    }

    /// For the first look at a file; what was known of it before, if anything.
    pub(super) fn set_if_unknown(&self, exercise: usize, seen: Seen) -> Option<Seen> {
        let mut known = self.lock();
        let before = known.get(&exercise).copied();
        known.entry(exercise).or_insert(seen);
        before
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file as it is now. Blocks on the disk.
pub(super) fn look(path: &Path) -> (Seen, io::Result<Vec<u8>>) {
    let metadata = fs::metadata(path);
    let modified = metadata
        .as_ref()
        .ok()
        .and_then(|metadata| metadata.modified().ok());
    let bytes = metadata.and_then(|metadata| match metadata.is_file() {
        true => fs::read(path),
        // A pipe would hold us for ever.
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file")),
    });
    let state = match &bytes {
        Ok(bytes) => State::Text {
            hash: hash(bytes),
            len: bytes.len() as u64,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => State::Gone,
        Err(_) => State::Unreadable,
    };
    (Seen { state, modified }, bytes)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
