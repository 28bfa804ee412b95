//! `reset`: an exercise as it was shipped. The learner's text is kept aside first, so nothing is ever lost.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use super::output;
use crate::cli::Shared;
use crate::core::manifest::Exercise;
use crate::core::progress::Change;
use crate::exit::{Fault, Outcome};
use crate::store::{self, Store};
use crate::workbook::{SubjectFile, Workbook};

/// What a reset did to an exercise.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Restored {
    /// It was as shipped already.
    Unchanged,
    /// The learner's text is kept here: a file for each that had another one.
    Replaced { kept: Vec<PathBuf> },
    /// There was none.
    Written,
}

/// `reset NAME --undo`
pub(super) fn run_undo(shared: &Shared, name: &str) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    output::print([undo(&workbook, workbook.exercise(name)?)?])?;
    Ok(Outcome::Passed)
}

pub(super) fn run(shared: &Shared, name: Option<&str>, all: bool) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (mut store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercises: Vec<&Exercise> = match name {
        Some(name) if !all => vec![workbook.exercise(name)?],
        _ => workbook.manifest().exercises.iter().collect(),
    };
    let mut changed = 0;
    for exercise in exercises {
        let restored = restore(&workbook, exercise)?;
        // With --all, what was as shipped is no news.
        if restored == Restored::Unchanged && all {
            continue;
        }
        changed += 1;
        output::warn(store.record(&[Change::Reset {
            name: exercise.name.clone(),
        }]));
        output::print([sentence(exercise, &restored, workbook.root())])?;
        if !all && matches!(restored, Restored::Replaced { .. }) {
            output::print([format!(
                "`asynclings reset {} --undo` brings it back",
                exercise.name
            )])?;
        }
    }
    if changed == 0 {
        output::print(["every exercise is as it was shipped".to_string()])?;
    }
    Ok(Outcome::Passed)
}

/// A sentence for the learner. Paths are shown from the workbook's folder.
fn sentence(exercise: &Exercise, restored: &Restored, root: &Path) -> String {
    let name = &exercise.name;
    match restored {
        Restored::Unchanged => format!("`{name}` is as it was shipped; nothing to reset"),
        Restored::Written => format!("`{name}` is there again, as it was shipped"),
        Restored::Replaced { kept } => {
            let shown = |kept: &PathBuf| {
                let kept = kept.strip_prefix(root).unwrap_or(kept);
                kept.display().to_string()
            };
            let kept: Vec<String> = kept.iter().map(shown).collect();
            format!(
                "`{name}` is as it was shipped; your text is kept in {}",
                kept.join(" and ")
            )
        }
    }
}

/// Restores one exercise; a sentence for the learner.
pub(super) fn restored(workbook: &Workbook, exercise: &Exercise) -> Result<String> {
    let restored = restore(workbook, exercise)?;
    Ok(sentence(exercise, &restored, workbook.root()))
}

/// Restores one exercise, byte for byte.
fn restore(workbook: &Workbook, exercise: &Exercise) -> Result<Restored> {
    let (mut kept, mut written) = (Vec::new(), false);
    for file in workbook.exercise_files(exercise) {
        match restore_file(workbook, exercise, &file)? {
            RestoredFile::Unchanged => {}
            RestoredFile::Replaced { kept: path } => kept.push(path),
            RestoredFile::Written => written = true,
        }
    }
    Ok(match (kept.is_empty(), written) {
        (false, _) => Restored::Replaced { kept },
        (true, true) => Restored::Written,
        (true, false) => Restored::Unchanged,
    })
}

enum RestoredFile {
    Unchanged,
    Replaced { kept: PathBuf },
    Written,
}

fn restore_file(
    workbook: &Workbook,
    exercise: &Exercise,
    file: &SubjectFile,
) -> Result<RestoredFile> {
    let original = original(workbook, exercise, file)?;
    let metadata = match fs::metadata(&file.path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(fault(file, &error).into()),
    };
    let restored = match metadata {
        Some(metadata) if !metadata.is_file() => {
            let text = format!(
                "{} is no plain file; move it away, then reset again",
                file.display
            );
            return Err(Fault::Workbook(text).into());
        }
        Some(metadata)
            if metadata.len() == original.len() as u64
                && fs::read(&file.path).is_ok_and(|now| now == original) =>
        {
            return Ok(RestoredFile::Unchanged);
        }
        Some(_) => RestoredFile::Replaced {
            kept: keep(workbook, exercise, file)?,
        },
        None => RestoredFile::Written,
    };
    let written = file.path.parent().map_or(Ok(()), fs::create_dir_all);
    written
        .and_then(|()| store::replace(&file.path, &original))
        .map_err(|error| fault(file, &error))?;
    Ok(restored)
}

/// Brings back the text that the last reset replaced; a sentence for the learner. What was written since is kept aside.
pub(super) fn undo(workbook: &Workbook, exercise: &Exercise) -> Result<String> {
    let name = &exercise.name;
    let mut back = false;
    for file in workbook.exercise_files(exercise) {
        let Some(kept) = last_kept(workbook, exercise, &file)? else {
            continue;
        };
        let text = fs::read(&kept).map_err(|error| fault(&file, &error))?;
        let now = fs::read(&file.path).unwrap_or_default();
        if now == text {
            continue;
        }
        if !now.is_empty() && now != original(workbook, exercise, &file)? {
            keep(workbook, exercise, &file)?;
        }
        store::replace(&file.path, &text).map_err(|error| fault(&file, &error))?;
        back = true;
    }
    Ok(if back {
        format!("your text of `{name}` is back, as it was before the reset")
    } else {
        format!("no reset of `{name}` has anything to bring back")
    })
}

/// The newest text of this file that was kept aside.
fn last_kept(
    workbook: &Workbook,
    exercise: &Exercise,
    file: &SubjectFile,
) -> Result<Option<PathBuf>> {
    let entries = match fs::read_dir(workbook.kept_dir()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(file, &error).into()),
    };
    let of_exercise = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let rest = stem
            .strip_prefix(exercise.name.as_str())
            .and_then(|rest| rest.strip_prefix('-'));
        // A time stamp, and no other exercise whose name begins alike.
        let ours = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        ours && path.extension() == file.path.extension()
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths.filter(of_exercise).max_by_key(|path| {
        let written = fs::metadata(path).and_then(|metadata| metadata.modified());
        (written.ok(), path.clone())
    }))
}

fn fault(file: &SubjectFile, error: &io::Error) -> Fault {
    Fault::Machine(format!("{} cannot be restored: {error}", file.display))
}

/// A copy of the learner's text, under a name that is free. Without it, nothing is replaced.
fn keep(workbook: &Workbook, exercise: &Exercise, file: &SubjectFile) -> Result<PathBuf> {
    let dir = workbook.kept_dir();
    let copy = || -> io::Result<PathBuf> {
        fs::create_dir_all(&dir)?;
        let stem = format!("{}-{}", exercise.name, timestamp());
        let ending = file.path.extension().unwrap_or_default().display();
        let names = std::iter::once(format!("{stem}.{ending}"))
            .chain((2..).map(|n| format!("{stem}-{n}.{ending}")));
        for name in names {
            let path = dir.join(name);
            match fs::File::create_new(&path) {
                Ok(mut kept) => {
                    io::copy(&mut fs::File::open(&file.path)?, &mut kept)?;
                    kept.sync_all()?;
                    return Ok(path);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    };
    copy().with_context(|| {
        Fault::Machine(format!(
            "{} is untouched: its text cannot be kept in {}",
            file.display,
            dir.display()
        ))
    })
}

/// UTC, as in `2025-01-31T14-25-01Z`: sorts by time, and every system takes it as a file name.
fn timestamp() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs());
    let time = i64::try_from(seconds)
        .ok()
        .and_then(|seconds| chrono::DateTime::from_timestamp(seconds, 0));
    time.unwrap_or_default()
        .format("%Y-%m-%dT%H-%M-%SZ")
        .to_string()
}

/// As shipped with this program; for a workbook that did not come with it, as committed there.
fn original(workbook: &Workbook, exercise: &Exercise, file: &SubjectFile) -> Result<Vec<u8>> {
    let shipped = workbook.shipped(file).map(|text| text.as_bytes().to_vec());
    let original = shipped.or_else(|| committed(workbook.root(), &file.display));
    let missing = || {
        Fault::Workbook(format!(
            "nobody here has the original of {}: it is not committed, or this folder is no clone; take it from where the workbook came from (`git add` and `git commit` keep the original of `{}` from then on)",
            file.display, exercise.name
        ))
    };
    Ok(original.ok_or_else(missing)?)
}

#[expect(
    clippy::disallowed_methods,
    reason = "git answers at once and starts nothing that could stay behind"
)]
fn committed(root: &Path, path: &str) -> Option<Vec<u8>> {
    let output = std::process::Command::new("git")
        .current_dir(root)
        .args(["show", &format!("HEAD:./{path}")])
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}
