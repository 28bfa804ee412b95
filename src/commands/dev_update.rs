//! `dev update`: generated files in step with their sources. In this repository, the lab's member manifest and lock file
//! and `editor/`; in any other workbook, its `Cargo.toml`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::output;
use crate::cli::Shared;
use crate::core::editor;
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::store;
use crate::workbook::Workbook;

pub(super) fn run(shared: &Shared) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let root = workbook.root();
    let generated = if root.join("lab/lab.toml").is_file() {
        of_repository(&workbook)?
    } else {
        of_workbook(&workbook)?
    };
    for (path, text) in generated {
        let full = root.join(&path);
        let path = path.display();
        if read(&full)?.as_deref() == Some(text.as_str()) {
            output::print([format!("{path} is in step")])?;
            continue;
        }
        let written = full.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| store::replace(&full, text.as_bytes()))
            .with_context(|| Fault::Machine(format!("cannot write {path}")))?;
        output::print([format!("{path} is written")])?;
    }
    Ok(Outcome::Passed)
}

type Generated = Vec<(PathBuf, String)>;

/// `editor/` and not `exercises/` holds the manifest: cargo leaves a folder with a `Cargo.toml` out of the package.
fn of_repository(workbook: &Workbook) -> Result<Generated> {
    let root = workbook.root();
    let lab = required(&root.join("lab/lab.toml"))?;
    let member = required(&root.join("lab/member/Cargo.toml"))?;
    let lock = lab_lock(&lab, &required(&root.join("Cargo.lock"))?)?;
    Ok(vec![
        (
            "lab/member/Cargo.toml".into(),
            editor::with_dependencies_of(&member, &lab)?,
        ),
        (
            "editor/Cargo.toml".into(),
            editor::cargo_toml(workbook.manifest(), &lab, "../")?,
        ),
        ("editor/Cargo.lock".into(), editor::cargo_lock(&lock)),
        (
            "editor/rust-analyzer.toml".into(),
            editor::RUST_ANALYZER_TOML.into(),
        ),
        (
            ".vscode/settings.json".into(),
            editor::vscode_settings(&["Cargo.toml", "editor/Cargo.toml"]),
        ),
        ("lab/Cargo.lock".into(), lock),
    ])
}

fn of_workbook(workbook: &Workbook) -> Result<Generated> {
    Ok(vec![
        (
            "Cargo.toml".into(),
            editor::cargo_toml(workbook.manifest(), embedded::LAB_MANIFEST, "")?,
        ),
        ("Cargo.lock".into(), editor::cargo_lock(embedded::LAB_LOCK)),
    ])
}

/// The part of the repository's lock file that the lab needs. Cargo itself takes it out, so that `--locked` holds.
fn lab_lock(lab: &str, repository_lock: &str) -> Result<String> {
    let scratch = tempfile::tempdir().context("no temporary folder for the lock file")?;
    let root = scratch.path();
    fs::create_dir(root.join("src"))?;
    for (path, text) in [
        ("Cargo.toml", lab),
        ("Cargo.lock", repository_lock),
        ("src/lib.rs", ""),
    ] {
        store::replace(&root.join(path), text.as_bytes())?;
    }
    // First from what cargo already has: nothing is to be newer than in the repository.
    if !cargo_update(root, &["--offline"])?.is_empty() {
        let complaint = cargo_update(root, &[])?;
        if !complaint.is_empty() {
            bail!(Fault::Machine(format!(
                "cargo cannot write the lab's lock file:\n{complaint}"
            )));
        }
    }
    required(&root.join("Cargo.lock"))
}

/// What cargo complained about; empty where it did not.
#[expect(
    clippy::disallowed_methods,
    reason = "an author's command: cargo update is short and starts nothing that stays"
)]
fn cargo_update(root: &Path, flags: &[&str]) -> Result<String> {
    let output = Command::new("cargo")
        .args(["update", "--workspace", "--quiet"])
        .args(flags)
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .context(Fault::Machine(
            "cannot start cargo; install it from https://rustup.rs".into(),
        ))?;
    if output.status.success() {
        return Ok(String::new());
    }
    Ok(format!(
        "cargo update: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

fn required(path: &Path) -> Result<String> {
    let missing = || Fault::Workbook(format!("{} is missing", path.display()));
    Ok(read(path)?.ok_or_else(missing)?)
}

/// `None` where there is no such file.
fn read(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(error).with_context(|| Fault::Workbook(format!("cannot read {}", path.display())))
        }
    }
}
