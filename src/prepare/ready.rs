//! `ready.json`: written last and whole, believed only if all that it names is there.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::artifacts::Built;
use super::place::Place;
use super::{Extern, Lab, Toolchain, lock};

/// Goes up when its fields change their meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Ready {
    schema: u32,
    lab_len: u64,
    lab: Lab,
}

/// `None`: not built, half built, or damaged since.
pub(super) fn read(place: &Place) -> Option<Lab> {
    // Before looking: from here on nobody tidies it away.
    let in_use = lock::shared(&place.in_use())?;
    let ready: Ready = serde_json::from_slice(&fs::read(place.ready()).ok()?).ok()?;
    let whole = ready.schema == SCHEMA
        && ready.lab.key == place.key()
        && len(&ready.lab.lab) == Some(ready.lab_len)
        && ready
            .lab
            .externs
            .iter()
            .all(|krate| len(&krate.path) == Some(krate.len))
        && ready.lab.search.iter().all(|folder| folder.is_dir())
        && ready.lab.std_dir().is_dir();
    whole.then(|| Lab {
        _in_use: Some(Arc::new(in_use)),
        ..ready.lab
    })
}

/// The caller holds the lock of the place.
pub(super) fn write(place: &Place, toolchain: &Toolchain, built: Built) -> Result<Lab> {
    let folder = place.lab();
    let write = || -> std::io::Result<(PathBuf, Vec<Extern>)> {
        fs::create_dir_all(&folder)?;
        File::create(place.in_use())?;
        // A copy: the next version of the lab is built over the original.
        let lab = folder.join(built.lab.file_name().unwrap_or_default());
        fs::copy(&built.lab, &lab)?;
        File::options().write(true).open(&lab)?.sync_all()?;
        Ok((lab, externs(&built)?))
    };
    let failed = || format!("cannot write {}; is the disk full?", folder.display());
    let (lab, externs) = write().with_context(failed)?;
    let ready = Ready {
        schema: SCHEMA,
        lab_len: len(&lab).with_context(failed)?,
        lab: Lab {
            rustc: toolchain.rustc.clone(),
            sysroot: toolchain.sysroot.clone(),
            host: toolchain.host.clone(),
            linkage: place.linkage,
            lab,
            externs,
            search: built.search.into_iter().collect(),
            key: place.key(),
            _in_use: None,
        },
    };
    persist(&folder, &place.ready(), &serde_json::to_vec_pretty(&ready)?).with_context(failed)?;
    read(place).with_context(|| {
        format!(
            "the lab was built, but {} does not hold it",
            folder.display()
        )
    })
}

fn externs(built: &Built) -> std::io::Result<Vec<Extern>> {
    let length = |path: &PathBuf| fs::metadata(path).map(|metadata| metadata.len());
    built
        .externs
        .iter()
        .map(|(name, path)| {
            Ok(Extern {
                name: name.clone(),
                path: path.clone(),
                len: length(path)?,
            })
        })
        .collect()
}

fn persist(folder: &Path, file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(file)?;
    Ok(())
}

fn len(path: &Path) -> Option<u64> {
    fs::metadata(path)
        .ok()
        .filter(|metadata| metadata.is_file())
        .map(|metadata| metadata.len())
}
