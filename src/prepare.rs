//! Builds the lab once for each toolchain, with cargo, into a folder that all workbooks on the machine share.
//! Draws nothing: progress is handed on.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

mod advice;
mod artifacts;
mod cargo;
mod environment;
mod lock;
mod memo;
mod place;
mod ready;
mod seed;
mod tidy;
mod toolchain;
mod vendor;

use place::{Place, write_sources};
pub use toolchain::{Toolchain, toolchain};
pub use vendor::{damage, missing, vendor};

/// `$ASYNCLINGS_CACHE`, or `asynclings` in the user's cache folder.
#[derive(Debug, Clone)]
pub struct Cache {
    pub root: PathBuf,
}

/// The lab as it travels inside this program.
#[derive(Debug, Clone)]
pub struct LabSources {
    pub manifest: String,
    pub lock: String,
    /// Beside the manifest: `src/lib.rs` and its contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Packages of the manifest that the lab itself makes no use of: it must be told to link them.
    pub added: Vec<String>,
    /// The folder with the crates in its `vendor/`, as its `.cargo/config.toml` says: then no network is asked.
    pub vendored: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub offline: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Another asynclings is building the same lab.
    WaitingForOther,
    /// Cargo's own words: `Downloading 12 crates`.
    Fetching {
        what: String,
    },
    /// `done` never falls and never passes `total`.
    Compiling {
        done: usize,
        total: usize,
        krate: String,
    },
    Ready,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Linkage {
    /// One library with everything in it: linking a check takes no time.
    Dylib,
    /// Where there is no such thing: a Windows library exports 65,535 symbols at most, and musl links statically.
    Rlib,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extern {
    /// As in `use tokio_util::..`
    pub name: String,
    pub path: PathBuf,
    /// Bytes; a file of another length is half written.
    len: u64,
}

/// All that rustc has to be told. The files stay as long as this, or a clone, is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Lab {
    /// The real one, not rustup's: starting that costs more than starting rustc.
    pub rustc: PathBuf,
    pub sysroot: PathBuf,
    /// `x86_64-unknown-linux-gnu`
    pub host: String,
    pub linkage: Linkage,
    pub lab: PathBuf,
    /// The direct dependencies of the lab, without the lab.
    pub externs: Vec<Extern>,
    /// Folders of all dependencies.
    pub search: Vec<PathBuf>,
    /// Changes with the toolchain, the lab and its dependencies.
    pub key: String,
    #[serde(skip)]
    _in_use: Option<Arc<File>>,
}

impl Lab {
    /// Where the standard library is, as a library to load.
    pub fn std_dir(&self) -> PathBuf {
        self.sysroot
            .join("lib")
            .join("rustlib")
            .join(&self.host)
            .join("lib")
    }
}

/// Dropping the future ends cargo. `Err` says what is wrong with this machine, and what to do.
pub async fn lab(
    cache: &Cache,
    sources: &LabSources,
    options: Options,
    mut progress: impl FnMut(Progress),
) -> Result<Lab> {
    let toolchain = toolchain(cache).await?;
    let place = Place::new(cache, &toolchain, sources);
    let lab = match ready::read(&place) {
        Some(lab) => lab,
        None => build(&place, &toolchain, sources, options, &mut progress).await?,
    };
    progress(Progress::Ready);
    Ok(lab)
}

/// The lab, if it is built. Builds nothing.
pub async fn built(cache: &Cache, sources: &LabSources) -> Result<Option<Lab>> {
    let toolchain = toolchain(cache).await?;
    Ok(ready::read(&Place::new(cache, &toolchain, sources)))
}

async fn build(
    place: &Place,
    toolchain: &Toolchain,
    sources: &LabSources,
    options: Options,
    progress: &mut impl FnMut(Progress),
) -> Result<Lab> {
    place.create()?;
    let building = lock::exclusive(place.lock(), || progress(Progress::WaitingForOther)).await?;
    if let Some(lab) = ready::read(place) {
        return Ok(lab);
    }
    vendor::is_complete(sources)?;
    write_sources(&place.sources(), sources)?;
    let half_built = place.target().exists() || {
        let place = place.clone();
        spawn_blocking(move || seed::seed(&place)).await?
    };
    let built = match cargo::build(place, toolchain, sources, options, progress).await {
        Err(fault) if half_built && fault.may_be_the_cache() => {
            std::fs::remove_dir_all(place.target()).with_context(|| {
                format!("cannot remove the half-built {}", place.target().display())
            })?;
            cargo::build(place, toolchain, sources, options, progress).await
        }
        built => built,
    };
    let lab = ready::write(place, toolchain, built?)?;
    drop(building);
    tidy::tidy(place);
    Ok(lab)
}

/// Whether cargo has every crate of the lab on this machine: it could be built without a network.
///
/// # Errors
/// What cargo misses.
pub async fn fetched(cache: &Cache, sources: &LabSources) -> Result<()> {
    vendor::is_complete(sources)?;
    let toolchain = toolchain(cache).await?;
    let scratch = scratch()?;
    write_sources(scratch.path(), sources)?;
    Ok(cargo::fetched(&toolchain, scratch.path(), sources).await?)
}

fn scratch() -> Result<tempfile::TempDir> {
    tempfile::tempdir().context("no temporary folder for the lab's manifest")
}
