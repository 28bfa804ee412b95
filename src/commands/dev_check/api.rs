//! Every path of the API that the book names exists: rustc says so, with the lab's own crates.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result};

use super::Complaint;
use crate::book;
use crate::compile::{self, Job, Kind, Reuse};
use crate::core::book::api_paths;
use crate::core::verdict::BuildOutcome;
use crate::exit::Fault;
use crate::prepare::Lab;
use crate::workbook::Workbook;

/// What rustc says of a name that is not there. That a type must be given or a trait be imported is no such thing.
const NOT_FOUND: [&str; 12] = [
    "E0405", "E0412", "E0423", "E0424", "E0425", "E0432", "E0433", "E0573", "E0576", "E0599",
    "E0603", "E0782",
];
/// Errors of later passes show once those of earlier ones are gone.
const ROUNDS: usize = 4;

pub(super) async fn complaints(workbook: &Workbook, lab: &Lab) -> Result<Vec<Complaint>> {
    if !book::is_own(workbook) {
        return Ok(Vec::new());
    }
    let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, place) in api_paths(&book::load(workbook)?) {
        let place = format!("{}:{}", place.file, place.line);
        named.entry(path).or_default().push(place);
    }
    let paths: Vec<&str> = named.keys().map(String::as_str).collect();
    // Types, functions, modules and macros can be imported; methods and associated items only be named.
    let others = missing(workbook, lab, &paths, |path| format!("use {path} as _;")).await?;
    let unknown = missing(workbook, lab, &others, |path| {
        format!("pub fn f() {{ let _ = {path}; }}")
    })
    .await?;
    let complain = |path: &str| {
        let places = named
            .get(path)
            .map_or(String::new(), |places| places.join(", "));
        format!("{places}: there is no `{path}` in the versions that the lab has")
    };
    Ok(unknown.into_iter().map(complain).collect())
}

/// Those of the paths that rustc does not find in this use of them.
async fn missing<'p>(
    workbook: &Workbook,
    lab: &Lab,
    paths: &[&'p str],
    used: impl Fn(&str) -> String,
) -> Result<Vec<&'p str>> {
    let mut found = Vec::new();
    let mut left = paths.to_vec();
    for _ in 0..ROUNDS {
        let lines = rustc_misses(workbook, lab, &left, &used).await?;
        if lines.is_empty() {
            break;
        }
        let (out, rest): (Vec<_>, Vec<_>) = left
            .iter()
            .enumerate()
            .partition(|(n, _)| lines.contains(n));
        found.extend(out.into_iter().map(|(_, path)| *path));
        left = rest.into_iter().map(|(_, path)| *path).collect();
    }
    Ok(found)
}

/// Indices of the paths.
async fn rustc_misses(
    workbook: &Workbook,
    lab: &Lab,
    paths: &[&str],
    used: &impl Fn(&str) -> String,
) -> Result<Vec<usize>> {
    let scratch = workbook.scratch_dir()?;
    let mut source = tempfile::Builder::new()
        .suffix(".rs")
        .tempfile()
        .context(Fault::Machine("cannot write a temporary file".to_owned()))?;
    // One a line, each in a module of its own.
    let mut text: String = paths
        .iter()
        .enumerate()
        .map(|(n, path)| format!("mod p{n} {{ {} }}\n", used(path)))
        .collect();
    text.push_str("fn main() {}\n");
    source.write_all(text.as_bytes())?;
    let job = Job {
        kind: Kind::Main,
        subject: source.path(),
        subject_display: "paths.rs",
        checks: None,
        scratch: &scratch,
        name: "book-api",
        reuse: Reuse::Once,
        sandbox: None,
    };
    let BuildOutcome::Refused { diagnostics } = compile::build(lab, &job).await?.outcome else {
        return Ok(Vec::new());
    };
    let errors = diagnostics.iter().filter(|diagnostic| {
        let code = diagnostic.code.as_deref();
        code.is_some_and(|code| NOT_FOUND.contains(&code))
    });
    let lines = errors.filter_map(|error| error.at.as_ref()?.line.checked_sub(1));
    Ok(lines.map(|line| line as usize).collect())
}
