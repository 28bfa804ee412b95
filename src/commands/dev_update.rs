//! `dev update`: generated files in step with their sources. In this repository, the lab's member manifest and lock file
//! and `editor/`; in any other workbook, its `Cargo.toml` and lock files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{output, vendored};
use crate::cli::Shared;
use crate::core::manifest::Manifest;
use crate::core::{editor, lock_file};
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::prepare;
use crate::store;
use crate::workbook::{CARGO_CONFIG, LAB_LOCK, VENDOR, Workbook};

/// What `#:schema` in a pack's info.toml names.
const INFO_SCHEMA: &str = "info.schema.json";

pub(super) async fn run(shared: &Shared, vendor: bool) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let root = workbook.root();
    if vendor && !workbook.is_pack() {
        bail!(Fault::Usage(
            "`--vendor` goes with a pack; `asynclings init DIR --vendor` writes our exercises for a room without network".into()
        ));
    }
    let generated = if root.join("lab/lab.toml").is_file() {
        of_repository(shared, &workbook)?
    } else {
        of_workbook(&workbook, lab_lock_of(shared, &workbook)?)?
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
    if vendor || workbook.is_vendored() {
        bring_crates(shared, &workbook).await?;
    }
    Ok(Outcome::Passed)
}

async fn bring_crates(shared: &Shared, workbook: &Workbook) -> Result<()> {
    let (root, sources) = (workbook.root(), workbook.lab_sources()?);
    let whole =
        root.join(CARGO_CONFIG).is_file() && prepare::missing(root, &sources.lock).is_empty();
    let word = if whole {
        format!("{VENDOR}/ is in step")
    } else {
        vendored::renew(shared, &sources, root).await?;
        format!("{VENDOR}/ is written, and {CARGO_CONFIG}, which names it to cargo")
    };
    output::print([word])?;
    Ok(())
}

type Generated = Vec<(PathBuf, String)>;

/// `editor/` and not `exercises/` holds the manifest: cargo leaves a folder with a `Cargo.toml` out of the package.
fn of_repository(shared: &Shared, workbook: &Workbook) -> Result<Generated> {
    let root = workbook.root();
    let lab = required(&root.join("lab/lab.toml"))?;
    let member = required(&root.join("lab/member/Cargo.toml"))?;
    let lock = lab_lock(shared, &lab, &required(&root.join("Cargo.lock"))?)?;
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

/// Files of a pack, or of what `init` wrote, that follow from `info.toml`, `lab.toml` and this program.
fn of_workbook(workbook: &Workbook, lab_lock: Option<String>) -> Result<Generated> {
    let merged = workbook.lab_manifest()?;
    let manifest = merged
        .as_ref()
        .map_or(embedded::LAB_MANIFEST, |merged| &merged.manifest);
    let lock = lab_lock.as_deref().unwrap_or(embedded::LAB_LOCK);
    let mut files = of_editor(workbook.manifest(), manifest, lock)?;
    if workbook.is_pack() {
        files.push((INFO_SCHEMA.into(), embedded::INFO_SCHEMA.into()));
        // An author's own settings stay.
        let settings = editor_settings().into_iter();
        files.extend(settings.filter(|(path, _)| !workbook.root().join(path).exists()));
    }
    files.extend(lab_lock.map(|lock| (LAB_LOCK.into(), lock)));
    Ok(files)
}

pub(super) fn of_new_pack(manifest: &Manifest) -> Result<Generated> {
    let mut files = of_editor(manifest, embedded::LAB_MANIFEST, embedded::LAB_LOCK)?;
    files.push((INFO_SCHEMA.into(), embedded::INFO_SCHEMA.into()));
    files.extend(editor_settings());
    Ok(files)
}

fn of_editor(manifest: &Manifest, lab_manifest: &str, lab_lock: &str) -> Result<Generated> {
    Ok(vec![
        (
            "Cargo.toml".into(),
            editor::cargo_toml(manifest, lab_manifest, "")?,
        ),
        ("Cargo.lock".into(), editor::cargo_lock(lab_lock)),
    ])
}

fn editor_settings() -> Generated {
    vec![
        (
            "rust-analyzer.toml".into(),
            editor::RUST_ANALYZER_TOML.into(),
        ),
        (
            ".vscode/settings.json".into(),
            editor::vscode_settings(&["Cargo.toml"]),
        ),
    ]
}

/// Whether editors know the exercises that info.toml has now. Other generated files change with this program as well,
/// and older ones do no harm.
pub(super) fn editors_are_in_step(workbook: &Workbook) -> Result<bool> {
    let now = read(&workbook.root().join("Cargo.toml"))?;
    Ok(now.as_deref() == Some(cargo_toml(workbook)?.as_str()))
}

/// Shows the exercises of a pack to editors.
pub(super) fn bring_editors_in_step(workbook: &Workbook) -> Result<()> {
    let text = cargo_toml(workbook)?;
    store::replace(&workbook.root().join("Cargo.toml"), text.as_bytes())
        .context(Fault::Machine("cannot write Cargo.toml".into()))
}

fn cargo_toml(workbook: &Workbook) -> Result<String> {
    let merged = workbook.lab_manifest()?;
    let lab = merged
        .as_ref()
        .map_or(embedded::LAB_MANIFEST, |merged| &merged.manifest);
    Ok(editor::cargo_toml(workbook.manifest(), lab, "")?)
}

/// Of the lab with a pack's crates; `None` where it adds none.
fn lab_lock_of(shared: &Shared, workbook: &Workbook) -> Result<Option<String>> {
    let Some(merged) = workbook.lab_manifest()? else {
        return Ok(None);
    };
    let before = read(&workbook.lab_lock())?.unwrap_or_default();
    let start = lock_file::lock_to_start_from(embedded::LAB_LOCK, &before);
    lab_lock(shared, &merged.manifest, &start).map(Some)
}

/// The part of the repository's lock file that the lab needs. Cargo itself takes it out, so that `--locked` holds.
fn lab_lock(shared: &Shared, lab: &str, repository_lock: &str) -> Result<String> {
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
    let mut complaint = cargo_update(root, &["--offline"])?;
    if !complaint.is_empty() {
        if !shared.offline {
            complaint = cargo_update(root, &[])?;
        }
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
