//! A class's files: what is read beside the folders, and the reports that are written.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};

use super::output;
use crate::cli::{Format, Reports, Shared};
use crate::core::class::{self, Class, Column};
use crate::exit::{Fault, told};
use crate::store;
use crate::workbook::Workbook;

const HEADING: &str = "asynclings: the class";

#[derive(Debug, Clone, Copy)]
enum Kind {
    Csv,
    Json,
    Junit,
    Html,
}

/// # Errors
/// A report of a kind that there is none of, or in a folder that is not there: better said before an hour of judging.
pub(super) fn refuse_what_cannot_be_written(reports: &Reports) -> Result<()> {
    for file in &reports.files {
        kind(file)?;
        let folder = file.parent().filter(|dir| !dir.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|dir| !dir.is_dir()) {
            bail!(Fault::Usage(format!(
                "the report {} cannot be written: there is no folder {}",
                file.display(),
                folder.display()
            )));
        }
    }
    Ok(())
}

fn kind(file: &Path) -> Result<Kind> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    Ok(match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => Kind::Csv,
        Some("json" | "jsonl") => Kind::Json,
        Some("xml") => Kind::Junit,
        Some("html" | "htm") => Kind::Html,
        _ => bail!(Fault::Usage(format!(
            "the report {} has no ending that says its kind: .csv, .json, .xml (JUnit) or .html",
            file.display()
        ))),
    })
}

/// The exercises of the workbook as columns, with what they are worth today.
pub(super) fn columns(workbook: &Workbook, points: Option<&Path>) -> Result<Vec<Column>> {
    let manifest = workbook.manifest();
    let points = match points {
        Some(file) => {
            let (text, name) = read(file, "points")?;
            class::points(&text, &name, manifest)
                .map_err(|complaints| Fault::Usage(told(&complaints)))?
        }
        None => class::Points::default(),
    };
    let now: DateTime<Utc> = std::time::SystemTime::now().into();
    Ok(class::columns(manifest, &points, now))
}

pub(super) fn names(file: &Path) -> Result<BTreeMap<String, String>> {
    let (text, name) = read(file, "names")?;
    Ok(class::names(&text, &name).map_err(|complaints| Fault::Usage(told(&complaints)))?)
}

/// A report of `grade`, to be joined with others.
pub(super) fn part(file: &Path) -> Result<Class> {
    let (text, name) = read(file, "report")?;
    Ok(class::from_json(&text, &name).map_err(|complaint| Fault::Usage(complaint.to_string()))?)
}

fn read(file: &Path, what: &str) -> Result<(String, String)> {
    let text = fs::read_to_string(file)
        .with_context(|| Fault::Usage(format!("the {what} {} cannot be read", file.display())))?;
    Ok((text, file.display().to_string()))
}

/// To the terminal and to every file asked for. A file that cannot be written does not keep the others from being.
pub(super) fn write(shared: &Shared, reports: &Reports, class: &Class) -> Result<()> {
    let mut failed = Vec::new();
    let mut put = |path: &Path, text: &str| {
        let made = path
            .parent()
            .filter(|dir| !dir.as_os_str().is_empty())
            .map_or(Ok(()), fs::create_dir_all);
        if let Err(error) = made.and_then(|()| store::replace(path, text.as_bytes())) {
            failed.push(format!("{}: {error}", path.display()));
        }
    };
    for file in &reports.files {
        let text = match kind(file)? {
            Kind::Csv => class::csv(class),
            Kind::Json => class::to_json(class),
            Kind::Junit => class::junit(class)?,
            Kind::Html => class::html(class, HEADING),
        };
        put(file, &text);
    }
    let below = [
        (
            &reports.exercism,
            class::exercism as fn(&Class) -> Vec<(String, String)>,
        ),
        (&reports.classroom, class::classroom),
    ];
    for (folder, files) in below {
        let Some(folder) = folder else { continue };
        for (inner, text) in files(class) {
            put(&folder.join(inner), &text);
        }
    }
    show(shared, class)?;
    if failed.is_empty() {
        return Ok(());
    }
    bail!(Fault::Machine(format!(
        "cannot write {}; what was judged is kept, the same command writes it",
        failed.join("\n")
    )))
}

fn show(shared: &Shared, class: &Class) -> Result<()> {
    match shared.format {
        Format::Human => {
            output::print(class::table(class, &output::plain_look()))?;
        }
        Format::Json => write!(stdout(), "{}", class::to_json(class))?,
        Format::Junit => writeln!(stdout(), "{}", class::junit(class)?)?,
    }
    Ok(())
}
