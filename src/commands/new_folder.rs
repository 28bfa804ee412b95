//! A folder that is filled aside and then shown whole, or not at all. Nothing is overwritten.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::exit::Fault;

/// Dropped before it is finished, it leaves nothing.
pub(super) struct NewFolder {
    /// As the user wrote it.
    dir: PathBuf,
    /// `a workbook`
    what: &'static str,
    target: PathBuf,
    place: Place,
    scratch: Option<TempDir>,
    /// Folders above the target that were not there.
    made: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    New,
    Empty,
}

impl NewFolder {
    /// # Errors
    /// The folder is not empty, or cannot be written.
    pub(super) fn begin(dir: &Path, what: &'static str) -> Result<Self> {
        let target = std::path::absolute(dir).with_context(|| cannot_write(what, dir))?;
        let place = place(what, dir, &target)?;
        let mut folder = Self {
            dir: dir.to_path_buf(),
            what,
            target,
            place,
            scratch: None,
            made: Vec::new(),
        };
        let prepared = folder.prepare();
        prepared.with_context(|| cannot_write(what, dir))?;
        Ok(folder)
    }

    fn prepare(&mut self) -> io::Result<()> {
        let beside = match self.place {
            // Beside the target: a rename then shows all of it, or nothing.
            Place::New => self.target.parent().unwrap_or(&self.target),
            Place::Empty => &self.target,
        };
        let missing = beside.ancestors().take_while(|dir| !dir.exists());
        self.made = missing.map(Path::to_path_buf).collect();
        fs::create_dir_all(beside)?;
        let scratch = tempfile::Builder::new()
            .prefix(".asynclings-new-")
            .tempdir_in(beside)?;
        self.scratch = Some(scratch);
        Ok(())
    }

    /// Where to put what shall be in it.
    pub(super) fn path(&self) -> &Path {
        self.scratch.as_ref().map_or(&self.target, TempDir::path)
    }

    pub(super) fn write(&self, files: &[(PathBuf, String)]) -> Result<()> {
        let write = || -> io::Result<()> {
            for (path, text) in files {
                let path = self.path().join(path);
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::File::create_new(path)?.write_all(text.as_bytes())?;
            }
            Ok(())
        };
        write().with_context(|| cannot_write(self.what, &self.dir))
    }

    /// Shows it. A word on how to get there: `` `cd book`, then ``; empty where the user is in it.
    pub(super) fn finish(mut self) -> Result<String> {
        let shown = match self.place {
            Place::New => {
                open_to_others(self.path()).and_then(|()| fs::rename(self.path(), &self.target))
            }
            Place::Empty => move_entries(self.path(), &self.target),
        };
        shown.with_context(|| cannot_write(self.what, &self.dir))?;
        self.made.clear();
        if self.place == Place::Empty && self.dir == Path::new(".") {
            return Ok(String::new());
        }
        Ok(format!("`cd {}`, then ", quoted(&self.dir)))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        drop(self.scratch.take());
        for dir in &self.made {
            // Only while empty: what somebody else put there is theirs.
            let _ = fs::remove_dir(dir);
        }
    }
}

fn cannot_write(what: &str, dir: &Path) -> Fault {
    Fault::Machine(format!("cannot write {what} to {}", dir.display()))
}

fn place(what: &str, dir: &Path, target: &Path) -> Result<Place> {
    let usage = |text: String| Err(Fault::Usage(text).into());
    match fs::read_dir(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Place::New),
        Err(error) if error.kind() == ErrorKind::NotADirectory => usage(format!(
            "{} is a file, or below one; name a folder that is new or empty",
            dir.display()
        )),
        Err(error) => Err(error).with_context(|| cannot_write(what, dir)),
        Ok(_) if target.join("info.toml").exists() => usage(format!(
            "{} is a workbook already; `asynclings` in it goes on",
            dir.display()
        )),
        Ok(mut entries) => match entries.next() {
            None => Ok(Place::Empty),
            Some(_) => usage(format!(
                "{} is not empty, and nothing is overwritten; name a new folder",
                dir.display()
            )),
        },
    }
}

/// For a shell, where the name needs it.
fn quoted(dir: &Path) -> String {
    let text = dir.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-~:\\".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A temporary folder is its owner's alone; a workbook is what the umask says, as any new folder.
fn open_to_others(dir: &Path) -> io::Result<()> {
    let probe = dir.join(".probe");
    fs::create_dir(&probe)?;
    fs::set_permissions(dir, fs::metadata(&probe)?.permissions())?;
    fs::remove_dir(probe)
}

/// The folder is there and may be somebody's current one, so it is filled rather than replaced. info.toml comes last:
/// without it, it is no workbook.
fn move_entries(from: &Path, target: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(from)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name() == "info.toml");
    let mut moved = Vec::new();
    for entry in entries {
        let to = target.join(entry.file_name());
        if let Err(error) = fs::rename(entry.path(), &to) {
            // Back again, so that the scratch folder takes them with it.
            for path in moved {
                let _ = fs::rename(target.join(&path), from.join(&path));
            }
            return Err(error);
        }
        moved.push(entry.file_name());
    }
    Ok(())
}
