//! Crates in the workbook itself: brought for `init --vendor`, `dev update --vendor` and `update`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use indicatif::ProgressBar;

use super::lab;
use crate::cli::Shared;
use crate::exit::Fault;
use crate::prepare::{self, Cache, LabSources, Options};
use crate::store;
use crate::workbook::{CARGO_CONFIG, VENDOR, Workbook, cache_root};

/// Of the workbook: a room without network cannot install this program either.
pub(super) const PROGRAM_DIR: &str = "bin";

/// Into a folder that has none yet.
///
/// # Errors
/// No toolchain, no network while something must be downloaded, no space.
pub(super) async fn bring(shared: &Shared, sources: &LabSources, root: &Path) -> Result<()> {
    let cache = Cache {
        root: cache_root()?,
    };
    let options = Options {
        offline: shared.offline,
    };
    let mut shown: Option<ProgressBar> = None;
    let config = prepare::vendor(&cache, sources, options, root, |progress| {
        lab::show(&mut shown, &progress);
    })
    .await;
    if let Some(bar) = shown {
        bar.finish_and_clear();
    }
    let config = config?;
    let file = root.join(CARGO_CONFIG);
    file.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| store::replace(&file, config.as_bytes()))
        .with_context(|| Fault::Machine(format!("cannot write {CARGO_CONFIG}")))
}

/// In place of the crates that are there, which stay until the new ones are complete.
pub(super) async fn renew(shared: &Shared, sources: &LabSources, root: &Path) -> Result<()> {
    let cannot = || Fault::Machine(format!("cannot replace {VENDOR}/"));
    let scratch = tempfile::Builder::new()
        .prefix(".asynclings-new-")
        .tempdir_in(root)
        .with_context(cannot)?;
    let sources = LabSources {
        // They come from elsewhere now.
        vendored: None,
        ..sources.clone()
    };
    bring(shared, &sources, scratch.path()).await?;
    let replace = || -> io::Result<()> {
        let old = root.join(VENDOR);
        if old.exists() {
            fs::rename(&old, scratch.path().join("old"))?;
        }
        fs::rename(scratch.path().join(VENDOR), old)?;
        let config = root.join(CARGO_CONFIG);
        config.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::rename(scratch.path().join(CARGO_CONFIG), config)
    };
    replace().with_context(cannot)
}

/// What an older version brought, in step with this one; what was done, in sentences.
pub(super) async fn update(shared: &Shared, workbook: &Workbook) -> Result<Vec<String>> {
    let (root, sources) = (workbook.root(), workbook.lab_sources()?);
    let mut said = Vec::new();
    let whole = root.join(CARGO_CONFIG).is_file()
        && prepare::missing(root, &sources.lock).is_empty()
        && prepare::damage(root, &sources.lock).is_empty();
    if !whole {
        renew(shared, &sources, root).await?;
        said.push(format!("{VENDOR}/ has the crates of this version"));
    }
    let (copy, this) = (root.join(program()), std::env::current_exe());
    let is_this = this.is_ok_and(|this| this.canonicalize().ok() == copy.canonicalize().ok());
    if copy.is_file() && !is_this {
        copy_program(root)?;
        said.push(format!("{} is this version", program().display()));
    }
    Ok(said)
}

/// This very program, for machines of the same kind.
pub(super) fn copy_program(root: &Path) -> Result<()> {
    let to = root.join(program());
    let copy = || -> io::Result<()> {
        let dir = root.join(PROGRAM_DIR);
        fs::create_dir_all(&dir)?;
        let scratch = tempfile::Builder::new()
            .prefix(".asynclings-new-")
            .tempdir_in(&dir)?;
        let copied = scratch.path().join("program");
        fs::copy(std::env::current_exe()?, &copied)?;
        // Not over the old one, which may be running.
        fs::rename(copied, to)
    };
    copy().with_context(|| {
        Fault::Machine("cannot copy this program into the workbook; is the disk full?".into())
    })
}

/// `bin/asynclings`
fn program() -> PathBuf {
    let name = format!("asynclings{}", std::env::consts::EXE_SUFFIX);
    Path::new(PROGRAM_DIR).join(name)
}
