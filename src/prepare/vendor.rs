//! Crates that lie beside a workbook, for a room without network: brought by cargo, and looked at before the lab is built
//! from them. The workbook's editor files use the same copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml_edit::DocumentMut;

use super::place::write_sources;
use super::{Cache, LabSources, Options, Progress, cargo, scratch, toolchain};
use crate::core::lock_file::{Locked, locked};
use crate::exit::Fault;
use crate::workbook::{CARGO_CONFIG, VENDOR};

const CONFIG_HEAD: &str = "\
# Written by asynclings: crates come from `vendor/` and not from a network, for the lab and for editors alike.
";
const MEND: &str =
    "copy the folder again from where it is whole, or run `asynclings update` in it with a network";

/// What cargo knows of a crate in a folder.
#[derive(Deserialize)]
struct Checksums {
    /// SHA-256 in hexadecimal, by path.
    files: BTreeMap<String, String>,
    package: Option<String>,
}

/// Brings every crate of the lock file into `vendor/`; what `.cargo/config.toml` must say.
///
/// # Errors
/// What is wrong with this machine or its network, and what to do. What was brought so far stays: use a new folder.
pub async fn vendor(
    cache: &Cache,
    sources: &LabSources,
    options: Options,
    root: &Path,
    mut progress: impl FnMut(Progress),
) -> Result<String> {
    let toolchain = toolchain(cache).await?;
    let scratch = scratch()?;
    write_sources(scratch.path(), sources)?;
    let into = root.join(VENDOR);
    let said = cargo::vendor(
        &toolchain,
        scratch.path(),
        sources,
        options,
        &into,
        &mut progress,
    );
    let said = said.await.map_err(|fault| {
        anyhow!(fault.told("cannot bring the crates that checks are made with"))
    })?;
    config(&said).context("cargo does not say how its copy of the crates is used")
}

/// Cargo names the folder as it is now; the workbook will be copied.
fn config(said: &str) -> Result<String> {
    let mut document: DocumentMut = said.parse()?;
    let sources = document
        .get_mut("source")
        .and_then(|item| item.as_table_like_mut());
    let mut found = false;
    for (_, source) in sources.context("it names no source")?.iter_mut() {
        let table = source.as_table_like_mut();
        if let Some(directory) = table.and_then(|table| table.get_mut("directory")) {
            *directory = VENDOR.into();
            found = true;
        }
    }
    if !found {
        bail!("it names no folder");
    }
    Ok(format!(
        "{CONFIG_HEAD}{}",
        document.to_string().trim_start()
    ))
}

/// Before cargo is asked: it would speak of the first crate alone, and of nothing that the reader can do.
pub(super) fn is_complete(sources: &LabSources) -> Result<()> {
    let Some(root) = &sources.vendored else {
        return Ok(());
    };
    if !root.join(CARGO_CONFIG).is_file() {
        let text = format!(
            "{VENDOR}/ has the crates, but {CARGO_CONFIG}, which says so to cargo, is gone; {MEND}"
        );
        bail!(Fault::Workbook(text));
    }
    let missing = missing(root, &sources.lock);
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let more = match missing.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    bail!(Fault::Workbook(format!(
        "{VENDOR}/ lacks {first}{more}; {MEND}"
    )))
}

/// Crates of the lock file that are not there, or there in other contents: `slab-0.4.12`.
pub fn missing(root: &Path, lock: &str) -> Vec<String> {
    let crates = locked(lock).into_iter();
    let is_missing = |krate: &Locked| {
        let checksums = checksums(&folder(root, krate));
        checksums
            .is_none_or(|checksums| krate.checksum.is_some() && checksums.package != krate.checksum)
    };
    crates
        .filter(is_missing)
        .map(|krate| name(&krate))
        .collect()
}

/// The first file of each crate that is not as it was brought: `vendor/slab-0.4.12/src/lib.rs`.
pub fn damage(root: &Path, lock: &str) -> Vec<String> {
    let of_crate = |krate: Locked| {
        let folder = folder(root, &krate);
        let files = checksums(&folder)?.files;
        let mut files = files.iter();
        let (file, _) =
            files.find(|(file, sum)| hash(&folder.join(file)).as_ref() != Some(*sum))?;
        Some(format!("{VENDOR}/{}/{file}", name(&krate)))
    };
    locked(lock).into_iter().filter_map(of_crate).collect()
}

fn checksums(folder: &Path) -> Option<Checksums> {
    let text = fs::read(folder.join(".cargo-checksum.json")).ok()?;
    serde_json::from_slice(&text).ok()
}

fn hash(file: &Path) -> Option<String> {
    let sum = Sha256::digest(fs::read(file).ok()?);
    Some(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn folder(root: &Path, krate: &Locked) -> PathBuf {
    root.join(VENDOR).join(name(krate))
}

fn name(krate: &Locked) -> String {
    format!("{}-{}", krate.name, krate.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_names_the_folder_from_the_workbook() {
        let said = "[source.crates-io]\nreplace-with = \"vendored-sources\"\n\n[source.vendored-sources]\ndirectory = \"/tmp/x/vendor\"\n";
        let text = config(said).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let source =
            |name: &str, key: &str| table["source"][name][key].as_str().map(str::to_string);
        assert_eq!(
            source("vendored-sources", "directory").as_deref(),
            Some("vendor")
        );
        assert_eq!(
            source("crates-io", "replace-with").as_deref(),
            Some("vendored-sources")
        );
        assert_eq!(table["source"]["crates-io"].as_table().unwrap().len(), 1);
        assert!(config("").is_err());
    }
}
