//! `init`: a new workbook in a new or empty folder. Nothing is overwritten, and nothing stays half-written.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::new_folder::NewFolder;
use super::output;
use super::vendored::{self, PROGRAM_DIR};
use crate::cli::Shared;
use crate::core::{editor, manifest};
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::workbook::{VENDOR, VERSION_FILE};

const README: &str = include_str!("init/workbook_readme.md");
/// What a folder without network has to say besides.
const VENDORED_README: &str = include_str!("init/vendored_readme.md");
pub(super) const GITIGNORE: &str = "/target/\n/.asynclings/\n";
/// Exercises as they were shipped, so that `update` knows which ones nobody has touched.
pub(super) const SHIPPED: &str = ".asynclings/shipped";

/// Where the lab's crates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crates {
    Registry,
    /// They lie in the workbook, for a room without network.
    Vendored,
}

pub(super) async fn run(shared: &Shared, dir: &Path, crates: Crates) -> Result<Outcome> {
    let folder = NewFolder::begin(dir, "a workbook")?;
    let mut files = files(crates)?;
    let copies: Vec<_> = files
        .iter()
        .filter_map(|(path, text)| Some((shipped_copy(path)?, text.clone())))
        .collect();
    files.extend(copies);
    let mut said = Vec::new();
    if crates == Crates::Vendored {
        vendored::bring(shared, &embedded::lab_sources(), folder.path()).await?;
        vendored::copy_program(folder.path())?;
        said.push(format!(
            "it has all crates in {VENDOR}/ and this program in {PROGRAM_DIR}/: copy the folder to machines with Rust for the same system, no network is needed"
        ));
    }
    folder.write(&files)?;
    let enter = folder.finish()?;
    let word = format!(
        "a workbook is in {}; {enter}`asynclings` starts it",
        dir.display()
    );
    output::print([word].into_iter().chain(said))?;
    Ok(Outcome::Passed)
}

/// Where the text of an exercise is kept as it was shipped; `None` for what is no exercise.
pub(super) fn shipped_copy(path: &Path) -> Option<PathBuf> {
    let inner = path.strip_prefix("exercises").ok()?;
    Some(Path::new(SHIPPED).join(inner))
}

/// Paths from the workbook's folder, and their text.
pub(super) fn files(crates: Crates) -> Result<Vec<(PathBuf, String)>> {
    let manifest = manifest::parse(embedded::INFO).map_err(|complaints| {
        let first = complaints
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        Fault::Workbook(format!(
            "this asynclings was built with a bad manifest: {first}"
        ))
    })?;
    let readme = match crates {
        Crates::Registry => README.to_string(),
        Crates::Vendored => format!("{README}{VENDORED_README}"),
    };
    let mut files = vec![
        ("info.toml".into(), info()),
        (
            VERSION_FILE.into(),
            env!("CARGO_PKG_VERSION").to_string() + "\n",
        ),
        ("README.md".into(), readme),
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

/// Without the line that tells an author's editor of the schema: it lies in the repository.
fn info() -> String {
    let first = embedded::INFO.split_once('\n');
    let rest = first.filter(|(first, _)| first.starts_with("#:schema"));
    rest.map_or(embedded::INFO, |(_, rest)| rest).to_string()
}
