//! Files that belong to no exercise, and files that rustfmt would change.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Complaint;
use crate::commands::dev_update;
use crate::core::manifest::{Exercise, Subject};
use crate::exit::Fault;
use crate::prepare::Lab;
use crate::rustfmt;
use crate::workbook::Workbook;

/// Without them nothing can be proven.
pub(super) fn missing(workbook: &Workbook) -> Vec<Complaint> {
    let of_exercise = |exercise| {
        let checks = workbook.checks(exercise);
        let solution = workbook.subject(exercise, &Subject::Solution);
        [checks, solution]
            .into_iter()
            .filter_map(|file| Some(format!("{:#}", file.err()?)))
    };
    let exercises = workbook.manifest().exercises.iter();
    exercises.flat_map(of_exercise).collect()
}

pub(super) fn strays(workbook: &Workbook) -> Result<Vec<Complaint>> {
    let mut known = BTreeSet::new();
    for exercise in &workbook.manifest().exercises {
        known.extend(files_of(workbook, exercise)?);
    }
    let mut found = Vec::new();
    for folder in ["exercises", "solutions", "checks"] {
        walk(&workbook.root().join(folder), &mut found)?;
    }
    let strays = found.iter().filter(|file| !known.contains(*file));
    Ok(strays
        .map(|file| {
            format!(
                "{} belongs to no exercise of info.toml",
                shown(workbook, file)
            )
        })
        .collect())
}

/// Only of a pack: this repository has a test for it, and who tries a workbook of one exercise has no editor files.
pub(super) fn editors(workbook: &Workbook) -> Result<Option<Complaint>> {
    let asked = workbook.is_pack() && workbook.root().join("Cargo.toml").is_file();
    let complaint = || {
        "Cargo.toml, by which editors know the exercises, is not what info.toml and lab.toml say; `asynclings dev update` writes it"
            .to_string()
    };
    Ok((asked && !dev_update::editors_are_in_step(workbook)?).then(complaint))
}

pub(super) async fn unformatted(
    workbook: &Workbook,
    lab: &Lab,
    exercises: &[&Exercise],
) -> Result<Vec<Complaint>> {
    let mut files = Vec::new();
    for exercise in exercises {
        files.extend(
            files_of(workbook, exercise)?
                .into_iter()
                .filter(|file| file.is_file() && file.extension().is_some_and(|end| end == "rs")),
        );
    }
    let found = rustfmt::unformatted(&lab.sysroot, &files).await?;
    Ok(found
        .iter()
        .map(|file| {
            format!(
                "{} is not formatted; `rustfmt --edition 2024` does it",
                shown(workbook, file)
            )
        })
        .collect())
}

fn files_of(workbook: &Workbook, exercise: &Exercise) -> Result<Vec<PathBuf>> {
    let mut subjects = vec![Subject::Exercise, Subject::Solution];
    subjects.extend(workbook.variants(exercise)?);
    let mut files = vec![workbook.checks(exercise)?.path];
    files.extend(workbook.service_checks(exercise)?.map(|file| file.path));
    files.extend(workbook.incident(exercise)?.map(|file| file.path));
    for subject in &subjects {
        files.push(workbook.subject(exercise, subject)?.path);
        files.push(workbook.companion(exercise, subject)?.path);
    }
    Ok(files)
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if !dir.is_dir() {
        return Ok(());
    }
    let unreadable = || Fault::Workbook(format!("{} cannot be read", dir.display()));
    for entry in fs::read_dir(dir).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn shown(workbook: &Workbook, file: &Path) -> String {
    file.strip_prefix(workbook.root())
        .unwrap_or(file)
        .display()
        .to_string()
}
