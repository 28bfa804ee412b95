//! Where a lab is in the cache. Every path below the cache's root that `prepare` uses has its author here.
//!
//! ```text
//! lab-<toolchain and dependencies>.lock   held while building
//! lab-<toolchain and dependencies>/
//!     sources/  target/                   cargo's; a changed lab finds its dependencies built
//!     <lab sources>/                      what checks are linked with
//!         ready.json  liblab.so  in-use
//! ```

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Cache, LabSources, Linkage, Toolchain, cargo};

/// Goes up when something here is done differently.
const VERSION: u32 = 1;

#[derive(Debug, Clone)]
pub(super) struct Place {
    cache: PathBuf,
    base: String,
    lab: String,
    pub(super) linkage: Linkage,
}

impl Place {
    pub(super) fn new(cache: &Cache, toolchain: &Toolchain, sources: &LabSources) -> Self {
        let linkage = toolchain.linkage();
        let flags = (cargo::rustflags(linkage), cargo::PROFILE);
        let base = key(&(
            VERSION,
            &toolchain.version,
            &toolchain.sysroot,
            &sources.manifest,
            &sources.lock,
            linkage,
            flags,
        ));
        Self {
            cache: cache.root.clone(),
            base,
            lab: key(&sources.files),
            linkage,
        }
    }

    pub(super) fn key(&self) -> String {
        format!("{}-{}", self.base, self.lab)
    }

    pub(super) fn cache(&self) -> &Path {
        &self.cache
    }

    pub(super) fn base(&self) -> PathBuf {
        self.cache.join(format!("lab-{}", self.base))
    }

    pub(super) fn lock(&self) -> PathBuf {
        lock_of(&self.base())
    }

    pub(super) fn sources(&self) -> PathBuf {
        self.base().join("sources")
    }

    pub(super) fn target(&self) -> PathBuf {
        self.base().join("target")
    }

    pub(super) fn lab(&self) -> PathBuf {
        self.base().join(&self.lab)
    }

    pub(super) fn ready(&self) -> PathBuf {
        self.lab().join("ready.json")
    }

    pub(super) fn in_use(&self) -> PathBuf {
        in_use(&self.lab())
    }

    pub(super) fn create(&self) -> Result<()> {
        fs::create_dir_all(self.base()).with_context(|| {
            format!(
                "cannot make the cache folder {}; set ASYNCLINGS_CACHE to a folder that can be written",
                self.base().display()
            )
        })
    }
}

/// From nothing each time: a file that the lab no longer has must not stay.
#[expect(
    clippy::disallowed_methods,
    reason = "under the lock, or aside; what is half written is written again"
)]
pub(super) fn write_sources(dir: &Path, sources: &LabSources) -> Result<()> {
    let _ = fs::remove_dir_all(dir);
    let manifest = [
        ("Cargo.toml".into(), sources.manifest.as_bytes()),
        ("Cargo.lock".into(), sources.lock.as_bytes()),
    ];
    let files = sources
        .files
        .iter()
        .map(|(path, bytes)| (path.clone(), bytes.as_slice()));
    for (name, bytes) in manifest.into_iter().chain(files) {
        let path: PathBuf = dir.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))
            .and_then(|()| fs::write(&path, bytes))
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))?;
    }
    Ok(())
}

/// Of a library that nothing uses the compiler keeps nothing: exercises would link a second copy, or none.
pub(super) fn link(dir: &Path, crates: &[&str]) -> std::io::Result<()> {
    if crates.is_empty() {
        return Ok(());
    }
    let mut lib = fs::File::options()
        .append(true)
        .open(dir.join("src/lib.rs"))?;
    let crates = crates.join(", ");
    writeln!(
        lib,
        "\n/// Crates that the workbook adds.\npub mod added {{\n    pub use ::{{{crates}}};\n}}"
    )
}

pub(super) fn lock_of(base: &Path) -> PathBuf {
    base.with_extension("lock")
}

pub(super) fn in_use(lab: &Path) -> PathBuf {
    lab.join("in-use")
}

/// The standard hasher may change with the compiler that built this program: then the lab is built once more.
fn key(of: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
