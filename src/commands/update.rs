//! `update`: a workbook that an older version wrote, brought to this one. What the learner wrote stays; what they never
//! touched is renewed. A run that was stopped is finished by the next.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::init::{self, Crates, SHIPPED};
use super::{output, vendored};
use crate::cli::Shared;
use crate::core::manifest::{self, Exercise, Manifest};
use crate::core::update::{Fate, Texts, fate, is_newer, with_gates};
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::store::{self, Store};
use crate::workbook::{VERSION_FILE, Workbook};

pub(super) async fn run(shared: &Shared) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    if workbook.has_own_checks() {
        let text = "this workbook has checks of its own, so it does not come from `asynclings init`; take its new version from where it came from, with `git pull` for instance";
        return Err(Fault::Usage(text.to_string()).into());
    }
    refuse_an_older_program(&workbook)?;
    let update = Update {
        root: workbook.root().to_path_buf(),
        crates: if workbook.is_vendored() {
            Crates::Vendored
        } else {
            Crates::Registry
        },
        before: workbook.manifest().clone(),
        now: manifest::parse(embedded::INFO).map_err(|_| {
            Fault::Workbook("this asynclings was built with a bad manifest".to_string())
        })?,
    };
    let mut said = update.all()?;
    if update.crates == Crates::Vendored {
        said.extend(vendored::update(shared, &workbook).await?);
    }
    // Under its new name, a renamed exercise keeps its progress: read once by the new manifest, and written.
    let (mut store, warning) = Store::open(&Workbook::find(Some(&update.root))?);
    output::warn(warning);
    output::warn(store.record(&[]));
    if said.is_empty() {
        output::print([format!(
            "the workbook is that of asynclings {}; nothing to do",
            env!("CARGO_PKG_VERSION")
        )])?;
    } else {
        output::print(said)?;
    }
    Ok(Outcome::Passed)
}

fn refuse_an_older_program(workbook: &Workbook) -> Result<()> {
    let (written, this) = (workbook.written_by(), env!("CARGO_PKG_VERSION"));
    if is_newer(&written, this) {
        let text = format!(
            "this workbook was written by asynclings {written}, and this is {this}; update the program first"
        );
        return Err(Fault::Usage(text).into());
    }
    Ok(())
}

/// A word for who works in a workbook of another version than the program: its checks are this version's.
pub(super) fn advice(workbook: &Workbook) -> Option<String> {
    let (written, this) = (workbook.written_by(), env!("CARGO_PKG_VERSION"));
    if is_newer(this, &written) {
        return Some(format!(
            "this workbook was written by asynclings {written}, and this is {this}: `asynclings update` brings it up to date"
        ));
    }
    is_newer(&written, this).then(|| {
        format!(
            "this workbook was written by asynclings {written}, and this is {this}: update the program"
        )
    })
}

struct Update {
    root: PathBuf,
    crates: Crates,
    before: Manifest,
    now: Manifest,
}

impl Update {
    /// What was done, in sentences. The manifest comes last: until then the workbook is an older one, to be updated.
    fn all(&self) -> Result<Vec<String>> {
        let mut said = Vec::new();
        for exercise in &self.now.exercises {
            self.move_here(exercise)?;
        }
        let (manifest, others): (Vec<_>, Vec<_>) = init::files(self.crates)?
            .into_iter()
            .partition(|(path, _)| path == Path::new("info.toml"));
        for (path, text) in &others {
            said.extend(self.file(path, text)?);
        }
        for (path, text) in &manifest {
            let before = read(&self.root.join(path))?.unwrap_or_default();
            let text = with_gates(text, &String::from_utf8_lossy(&before));
            said.extend(self.file(path, &text)?);
        }
        for exercise in self.gone() {
            said.push(format!(
                "`{}` is no longer part of the workbook; its file stays where it is",
                exercise.name
            ));
        }
        Ok(said)
    }

    /// The files of an exercise that had another name or chapter.
    fn move_here(&self, exercise: &Exercise) -> Result<()> {
        let Some(before) = self.former(exercise) else {
            return Ok(());
        };
        for (old, new) in before.files().iter().zip(exercise.files()) {
            for folder in ["exercises", SHIPPED] {
                let from = self.root.join(folder).join(&before.chapter).join(old);
                let to = self.root.join(folder).join(&exercise.chapter).join(&new);
                if from == to || to.exists() || !from.exists() {
                    continue;
                }
                to.parent()
                    .map_or(Ok(()), fs::create_dir_all)
                    .and_then(|()| fs::rename(&from, &to))
                    .with_context(|| cannot_write(&to))?;
                // A chapter that is empty now.
                let _ = from.parent().map(fs::remove_dir);
            }
        }
        Ok(())
    }

    fn former(&self, exercise: &Exercise) -> Option<&Exercise> {
        let is_it = |before: &&Exercise| {
            before.name == exercise.name || exercise.former_names.contains(&before.name)
        };
        self.before.exercises.iter().find(is_it)
    }

    fn gone(&self) -> impl Iterator<Item = &Exercise> {
        let stays = |before: &&Exercise| self.now.find(&before.name).is_err();
        self.before.exercises.iter().filter(stays)
    }

    /// One file of the workbook; a sentence where there is something to say.
    fn file(&self, path: &Path, text: &str) -> Result<Option<String>> {
        let target = self.root.join(path);
        if path == Path::new(VERSION_FILE) {
            write(&target, text)?;
            return Ok(None);
        }
        let copy = init::shipped_copy(path);
        let now = read(&target)?;
        let shipped = match &copy {
            Some(copy) => read(&self.root.join(copy))?,
            None => None,
        };
        let name = path.display();
        let said = match fate(Texts {
            now: now.as_deref(),
            shipped: shipped.as_deref(),
            new: text.as_bytes(),
            learners: copy.is_some(),
        }) {
            Fate::Same => None,
            Fate::New => Some(format!("{name} is new")),
            Fate::Renewed => Some(format!("{name} is renewed")),
            Fate::Replaced => {
                let kept = self.keep(path)?;
                Some(format!(
                    "{name} is renewed; the text it had is kept in {}",
                    kept.display()
                ))
            }
            Fate::Kept => {
                let stem = path.file_stem().unwrap_or_default().display();
                return Ok(Some(format!(
                    "{name} has changed, and yours is kept as you wrote it; `asynclings reset {stem}` takes the new one"
                )));
            }
            Fate::KeptInSilence => return Ok(None),
        };
        if said.is_some() {
            write(&target, text)?;
        }
        if let Some(copy) = copy.filter(|_| shipped.as_deref() != Some(text.as_bytes())) {
            write(&self.root.join(copy), text)?;
        }
        Ok(said)
    }

    /// A copy of a file that is not an exercise and was edited all the same.
    fn keep(&self, path: &Path) -> Result<PathBuf> {
        let dir = Path::new(".asynclings/kept");
        let name = path.file_name().unwrap_or_default().display();
        let free = |n: &u32| !self.root.join(dir).join(format!("{name}.{n}")).exists();
        let number = (1..).find(free).unwrap_or(u32::MAX);
        let kept = dir.join(format!("{name}.{number}"));
        fs::create_dir_all(self.root.join(dir))
            .and_then(|()| fs::copy(self.root.join(path), self.root.join(&kept)))
            .with_context(|| cannot_write(&kept))?;
        Ok(kept)
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(error).with_context(|| Fault::Machine(format!("{} cannot be read", path.display())))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written: io::Result<()> = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| store::replace(path, text.as_bytes()));
    written.with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> Fault {
    Fault::Machine(format!(
        "{} cannot be written; what was done so far stays, and `asynclings update` goes on",
        path.display()
    ))
}
