//! The text of a `Cargo.lock`: which crates it names, and what to resolve another from. Text only.

use serde::Deserialize;
use toml_edit::{DocumentMut, Item};

/// A crate that comes from somewhere else.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Locked {
    pub name: String,
    pub version: String,
    /// SHA-256 of the package, in hexadecimal; crates from git have none.
    pub checksum: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct LockFile {
    #[serde(default)]
    package: Vec<Locked>,
}

/// Without the packages that lie beside the lock file itself.
pub fn locked(lock: &str) -> Vec<Locked> {
    let packages = toml::from_str::<LockFile>(lock).map_or(Vec::new(), |lock| lock.package);
    let from_elsewhere = |package: &Locked| package.source.is_some();
    packages.into_iter().filter(from_elsewhere).collect()
}

/// A lock file to resolve from: ours, and what the pack locked that we do not have, so that neither gets any newer.
pub fn lock_to_start_from(ours: &str, packs: &str) -> String {
    let Ok(theirs) = packs.parse::<DocumentMut>() else {
        return ours.to_string();
    };
    let Ok(mut lock) = ours.parse::<DocumentMut>() else {
        return ours.to_string();
    };
    let Some(packages) = lock
        .get_mut("package")
        .and_then(Item::as_array_of_tables_mut)
    else {
        return ours.to_string();
    };
    let name = |table: &toml_edit::Table| table.get("name")?.as_str().map(str::to_string);
    let known: Vec<String> = packages.iter().filter_map(name).collect();
    let more = theirs.get("package").and_then(Item::as_array_of_tables);
    for table in more.into_iter().flat_map(|tables| tables.iter()) {
        if name(table).is_some_and(|name| !known.contains(&name)) {
            packages.push(table.clone());
        }
    }
    lock.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str) -> String {
        let source = "registry+https://index.example";
        format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\nchecksum = \"ab\"\n\n"
        )
    }

    #[test]
    fn the_lock_starts_from_ours_and_keeps_what_only_the_pack_has() {
        let ours = format!("version = 4\n\n{}", package("tokio", "1.50.0"));
        let packs = format!(
            "version = 4\n\n{}{}",
            package("slab", "0.4.1"),
            package("tokio", "1.40.0")
        );
        let lock = lock_to_start_from(&ours, &packs);
        let versions: Vec<_> = locked(&lock)
            .into_iter()
            .map(|locked| (locked.name, locked.version))
            .collect();
        let expected = [("tokio", "1.50.0"), ("slab", "0.4.1")];
        assert_eq!(
            versions,
            expected.map(|(name, version)| (name.into(), version.into()))
        );
        assert_eq!(lock_to_start_from(&ours, "no [[ toml"), ours);
    }

    #[test]
    fn what_lies_beside_the_lock_file_comes_from_nowhere_else() {
        let lock = format!(
            "version = 4\n\n[[package]]\nname = \"lab\"\nversion = \"0.1.0\"\n\n{}",
            package("slab", "0.4.1")
        );
        let found = locked(&lock);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].checksum.as_deref(), Some("ab"));
    }
}
