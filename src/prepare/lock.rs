//! Locks between runners. They are the kernel's: a runner that is killed gives them up.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tokio::sync::oneshot;

/// Held while the file is open. `waiting` is called if somebody else has it.
pub(super) async fn exclusive(path: PathBuf, waiting: impl FnOnce()) -> Result<File> {
    let file = open(&path).with_context(|| {
        format!(
            "cannot write {}; is the disk full, or the cache read-only?",
            path.display()
        )
    })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => waiting(),
        // A file system without locks: cargo's own lock still keeps two builds apart.
        Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
    }
    let (send, receive) = oneshot::channel();
    // Not on the blocking pool: a runtime that shuts down would wait for it, and this may take a minute.
    std::thread::Builder::new()
        .name("lab lock".to_string())
        .spawn(move || {
            let locked = file.lock().map(|()| file);
            let _ = send.send(locked);
        })?;
    let locked = receive
        .await
        .context("the thread that waits for the lab's lock ended")?;
    locked.with_context(|| format!("cannot lock {}", path.display()))
}

/// Says that the folder is in use. A cache that cannot be written is not tidied either.
pub(super) fn shared(path: &Path) -> Option<File> {
    let file = File::options()
        .write(true)
        .open(path)
        .or_else(|_| File::open(path))
        .ok()?;
    if let Err(TryLockError::WouldBlock) = file.try_lock_shared() {
        return None;
    }
    let _ = file.set_modified(std::time::SystemTime::now());
    Some(file)
}

/// `None`: somebody has it.
pub(super) fn try_exclusive(path: &Path) -> Option<File> {
    let file = open(path).ok()?;
    file.try_lock().is_ok().then_some(file)
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}
