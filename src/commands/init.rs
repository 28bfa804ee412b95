//! `init`: a new workbook in a new or empty folder. Nothing is overwritten, and nothing stays half-written.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::output;
use crate::core::{editor, manifest};
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::workbook::VERSION_FILE;

const README: &str = include_str!("init/workbook_readme.md");
const GITIGNORE: &str = "/target/\n/.asynclings/\n";
/// Exercises as they were shipped, so that `update` knows which ones nobody has touched.
pub(super) const SHIPPED: &str = ".asynclings/shipped";

pub(super) fn run(dir: &Path) -> Result<Outcome> {
    let target = std::path::absolute(dir).with_context(|| cannot_write(dir))?;
    let place = place(dir, &target)?;
    let mut files = files()?;
    let copies: Vec<_> = files
        .iter()
        .filter_map(|(path, text)| Some((shipped_copy(path)?, text.clone())))
        .collect();
    files.extend(copies);
    let written = match place {
        Place::New => write_new(&target, &files),
        Place::Empty => write_into(&target, &files),
    };
    written.with_context(|| cannot_write(dir))?;
    let enter = if place == Place::Empty && dir == Path::new(".") {
        "`asynclings` starts it".to_string()
    } else {
        format!("`cd {}`, then `asynclings` starts it", quoted(dir))
    };
    output::print([format!("a workbook is in {}; {enter}", dir.display())])?;
    Ok(Outcome::Passed)
}

fn cannot_write(dir: &Path) -> Fault {
    Fault::Machine(format!("cannot write a workbook to {}", dir.display()))
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    New,
    Empty,
}

fn place(dir: &Path, target: &Path) -> Result<Place> {
    let usage = |text: String| Err(Fault::Usage(text).into());
    match fs::read_dir(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Place::New),
        Err(error) if error.kind() == ErrorKind::NotADirectory => usage(format!(
            "{} is a file, or below one; name a folder that is new or empty",
            dir.display()
        )),
        Err(error) => Err(error).with_context(|| cannot_write(dir)),
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

/// Where the text of an exercise is kept as it was shipped; `None` for what is no exercise.
pub(super) fn shipped_copy(path: &Path) -> Option<PathBuf> {
    let inner = path.strip_prefix("exercises").ok()?;
    Some(Path::new(SHIPPED).join(inner))
}

/// Paths from the workbook's folder, and their text.
pub(super) fn files() -> Result<Vec<(PathBuf, String)>> {
    let manifest = manifest::parse(embedded::INFO).map_err(|complaints| {
        let first = complaints
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        Fault::Workbook(format!(
            "this asynclings was built with a bad manifest: {first}"
        ))
    })?;
    let mut files = vec![
        ("info.toml".into(), embedded::INFO.to_string()),
        (
            VERSION_FILE.into(),
            env!("CARGO_PKG_VERSION").to_string() + "\n",
        ),
        ("README.md".into(), README.to_string()),
        (".gitignore".into(), GITIGNORE.to_string()),
        (
            "Cargo.toml".into(),
            editor::cargo_toml(&manifest, embedded::LAB_MANIFEST, "")?,
        ),
        ("Cargo.lock".into(), editor::cargo_lock(embedded::LAB_LOCK)),
        (
            "rust-analyzer.toml".into(),
            editor::RUST_ANALYZER_TOML.to_string(),
        ),
        (
            ".vscode/settings.json".into(),
            editor::vscode_settings(&["Cargo.toml"]),
        ),
    ];
    for exercise in &manifest.exercises {
        for file in exercise.files() {
            let inner = format!("{}/{file}", exercise.chapter);
            let text = embedded::exercise(&inner).ok_or_else(|| {
                Fault::Workbook(format!(
                    "this asynclings was built without exercises/{inner}"
                ))
            })?;
            files.push((Path::new("exercises").join(inner), text.to_string()));
        }
    }
    Ok(files)
}

/// Beside the target first: a rename then shows all of it, or nothing.
fn write_new(target: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    let parent = target.parent().unwrap_or(target);
    let made = first_missing(parent);
    fs::create_dir_all(parent)?;
    let written = tempfile::Builder::new()
        .prefix(".asynclings-new-")
        .tempdir_in(parent)
        .and_then(|scratch| {
            write_all(scratch.path(), files)?;
            open_to_others(scratch.path())?;
            fs::rename(scratch.path(), target)
        });
    if let (Err(_), Some(made)) = (&written, made) {
        // Only while empty: what somebody else put there is theirs.
        let _ = fs::remove_dir(made);
    }
    written
}

/// The topmost folder that `create_dir_all` would make.
fn first_missing(dir: &Path) -> Option<PathBuf> {
    dir.ancestors()
        .take_while(|dir| !dir.exists())
        .last()
        .map(Path::to_path_buf)
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
fn write_into(target: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    let scratch = tempfile::Builder::new()
        .prefix(".asynclings-new-")
        .tempdir_in(target)?;
    write_all(scratch.path(), files)?;
    let mut entries = fs::read_dir(scratch.path())?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name() == "info.toml");
    let mut moved = Vec::new();
    for entry in entries {
        let to = target.join(entry.file_name());
        if let Err(error) = fs::rename(entry.path(), &to) {
            // Back again, so that the scratch folder takes them with it.
            for path in moved {
                let _ = fs::rename(target.join(&path), scratch.path().join(&path));
            }
            return Err(error);
        }
        moved.push(entry.file_name());
    }
    Ok(())
}

fn write_all(root: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    for (path, text) in files {
        let path = root.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = fs::File::create_new(path)?;
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}
