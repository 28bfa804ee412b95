//! The progress file: read tolerantly, written atomically. A file that cannot be written costs a warning, never a run.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::core::manifest::Manifest;
use crate::core::progress::{Change, Progress};
use crate::workbook::Workbook;

/// The progress of one workbook, on disk and in memory.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    file: PathBuf,
    manifest: Manifest,
    progress: Progress,
    /// Changes that the disk did not take yet.
    unsaved: Vec<Change>,
    warned: bool,
}

/// Something the learner should know: a sentence.
pub type Warning = String;

impl Store {
    /// Never fails: what cannot be read is set aside or left alone, and said.
    pub fn open(workbook: &Workbook) -> (Self, Option<Warning>) {
        let mut store = Self {
            dir: workbook.state_dir(),
            file: workbook.progress_file(),
            manifest: workbook.manifest().clone(),
            progress: fresh(),
            unsaved: Vec::new(),
            warned: false,
        };
        let warning = match store.read() {
            Ok((progress, warning)) => {
                store.progress = progress;
                warning
            }
            Err(error) => Some(format!(
                "{} cannot be read ({error}); this run starts without it",
                store.file.display()
            )),
        };
        (store, warning)
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Applies the changes to what is on disk now, so that two runners do not lose each other's. A disk that refuses is
    /// warned of once; the changes stay in memory and go with the next that it takes.
    pub fn record(&mut self, changes: &[Change]) -> Option<Warning> {
        self.unsaved.extend_from_slice(changes);
        match self.save() {
            Ok(warning) => {
                self.unsaved.clear();
                self.warned = false;
                warning
            }
            Err(error) => {
                for change in changes {
                    self.progress.apply(change);
                }
                let first = !std::mem::replace(&mut self.warned, true);
                first.then(|| {
                    format!(
                        "the progress of this run is not saved: {}: {error}",
                        self.file.display()
                    )
                })
            }
        }
    }

    fn save(&mut self) -> io::Result<Option<Warning>> {
        fs::create_dir_all(&self.dir)?;
        // Beside the file, not the file itself: a rename replaces that one and its lock.
        let lock = File::create(self.dir.join("progress.lock"))?;
        lock.lock()?;
        let (mut progress, warning) = self.read()?;
        for change in &self.unsaved {
            progress.apply(change);
        }
        replace(&self.file, progress.to_string().as_bytes())?;
        self.progress = progress;
        Ok(warning)
    }

    /// What is on disk. Garbage is set aside, so that nothing the learner may want back is overwritten.
    fn read(&self) -> io::Result<(Progress, Option<Warning>)> {
        let bytes = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((fresh(), None));
            }
            Err(error) => return Err(error),
        };
        let parsed = String::from_utf8(bytes)
            .map_err(|_| "it is no UTF-8 text".to_string())
            .and_then(|text| Progress::parse(&text).map_err(|error| error.to_string()));
        match parsed {
            Ok(mut progress) => {
                progress.adopt(&self.manifest);
                progress.at(now());
                Ok((progress, None))
            }
            Err(reason) => {
                let aside = self.set_aside()?;
                let name = self.file.file_name().unwrap_or_default().display();
                let warning = format!(
                    "{name} could not be understood ({reason}); it is kept as {} and progress starts anew",
                    aside.display()
                );
                Ok((fresh(), Some(warning)))
            }
        }
    }

    fn set_aside(&self) -> io::Result<PathBuf> {
        let free = |n: &u32| !self.dir.join(format!("progress.toml.broken-{n}")).exists();
        let number = (1..).find(free).unwrap_or(u32::MAX);
        let aside = self.dir.join(format!("progress.toml.broken-{number}"));
        fs::rename(&self.file, &aside)?;
        Ok(aside)
    }
}

fn fresh() -> Progress {
    let mut progress = Progress::default();
    progress.at(now());
    progress
}

/// Unix seconds.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Replaces a file's content: a crash or a full disk leaves the old or the new one, whole.
pub fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    // A link keeps pointing where it did.
    let file = &fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let dir = file.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // A temporary file is its owner's alone; a learner's file is what the umask says.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.prefix(".new-").tempfile_in(dir)?;
    new.write_all(content)?;
    new.as_file().sync_all()?;
    if let Ok(metadata) = fs::metadata(file) {
        new.as_file().set_permissions(metadata.permissions())?;
    }
    new.persist(file)?;
    // The rename itself is durable once its folder is; systems without such a thing refuse to open one.
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "format_version = 1\n[[chapters]]\nid = \"01_a\"\ntitle = \"A\"\n[[exercises]]\nname = \"one\"\nchapter = \"01_a\"\n\
        title = \"T\"\nminutes = 1\ndifficulty = 1\nstarts_as = { verdict = \"hung\", check = \"c\" }\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n";

    fn workbook() -> (tempfile::TempDir, Workbook) {
        let dir = tempfile::tempdir().unwrap();
        replace(&dir.path().join("info.toml"), INFO.as_bytes()).unwrap();
        let workbook = Workbook::find(Some(dir.path())).unwrap();
        (dir, workbook)
    }

    fn attempt() -> Change {
        Change::Checked {
            name: "one".into(),
            passed: true,
            verdict: None,
            at: 1,
        }
    }

    #[test]
    fn what_was_recorded_is_there_the_next_time() {
        let (_dir, workbook) = workbook();
        let (mut store, warning) = Store::open(&workbook);
        assert_eq!(warning, None);
        assert_eq!(store.record(&[attempt()]), None);
        assert!(store.progress().is_done("one"));
        assert!(Store::open(&workbook).0.progress().is_done("one"));
    }

    #[test]
    fn two_runners_at_once_lose_nothing_of_each_other() {
        let (_dir, workbook) = workbook();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let (mut store, _) = Store::open(&workbook);
                    for _ in 0..25 {
                        assert_eq!(store.record(&[attempt()]), None);
                    }
                });
            }
        });
        assert_eq!(Store::open(&workbook).0.progress().of("one").attempts, 100);
    }

    #[test]
    fn garbage_is_set_aside_each_time_under_a_name_of_its_own() {
        let (_dir, workbook) = workbook();
        fs::create_dir_all(workbook.state_dir()).unwrap();
        for (number, garbage) in [(1, &b"[[["[..]), (2, b"\xff\xfe\0")] {
            replace(&workbook.progress_file(), garbage).unwrap();
            let (mut store, warning) = Store::open(&workbook);
            let name = format!("progress.toml.broken-{number}");
            assert!(warning.unwrap().contains(&name));
            assert_eq!(fs::read(workbook.state_dir().join(name)).unwrap(), garbage);
            assert_eq!(store.record(&[attempt()]), None);
        }
    }

    #[test]
    fn a_disk_that_refuses_is_warned_of_once_and_takes_all_when_it_can() {
        let (_dir, workbook) = workbook();
        replace(&workbook.state_dir(), b"a file in the folder's place").unwrap();
        let (mut store, _) = Store::open(&workbook);
        assert!(store.record(&[attempt()]).unwrap().contains("not saved"));
        assert_eq!(store.record(&[attempt()]), None);
        assert_eq!(store.progress().of("one").attempts, 2);
        fs::remove_file(workbook.state_dir()).unwrap();
        assert_eq!(store.record(&[attempt()]), None);
        assert_eq!(Store::open(&workbook).0.progress().of("one").attempts, 3);
    }
}
