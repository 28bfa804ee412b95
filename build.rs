//! Lays out what `src/embedded.rs` embeds. Exercises are taken as they were shipped: in a clone the learner solves them
//! in place, and a later build must not take the learner's text for the original.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script: git is asked, files are written below OUT_DIR"
)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Cargo would look at the whole package and rebuild the runner on every save of an exercise.
    for path in [
        "build.rs",
        "info.toml",
        "schema/info.schema.json",
        "lab/lab.toml",
        "lab/Cargo.lock",
        "lab/src",
        ".git/logs/HEAD",
    ] {
        // A path that is not there would count as changed each time.
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let target =
        PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("exercises");
    if target.exists() {
        fs::remove_dir_all(&target).expect("OUT_DIR is ours");
    }
    let edited = edited();
    copy(Path::new("exercises"), &target, &edited);
}

/// The exercises whose text differs from the last commit; none where this is no clone, as in a published package.
fn edited() -> BTreeSet<PathBuf> {
    let names = git(&[
        "diff",
        "--name-only",
        "-z",
        "--relative",
        "HEAD",
        "--",
        "exercises",
    ])
    .unwrap_or_default();
    let names = names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    names
        .map(|name| PathBuf::from(String::from_utf8_lossy(name).into_owned()))
        .collect()
}

fn copy(from: &Path, to: &Path, edited: &BTreeSet<PathBuf>) {
    fs::create_dir_all(to).expect("OUT_DIR can be written");
    for entry in fs::read_dir(from).expect("exercises/ can be read") {
        let path = entry.expect("exercises/ can be read").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy(&path, &target, edited);
        } else {
            fs::write(target, shipped(&path, edited)).expect("OUT_DIR can be written");
        }
    }
    for gone in edited
        .iter()
        .filter(|path| path.parent() == Some(from) && !path.exists())
    {
        let target = to.join(gone.file_name().expect("a file has a name"));
        fs::write(target, shipped(gone, edited)).expect("OUT_DIR can be written");
    }
}

fn shipped(path: &Path, edited: &BTreeSet<PathBuf>) -> Vec<u8> {
    let committed = edited
        .contains(path)
        .then(|| git(&["show", &format!("HEAD:./{}", path.display())]))
        .flatten();
    committed.unwrap_or_else(|| fs::read(path).expect("an exercise can be read"))
}

fn git(arguments: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then_some(output.stdout)
}
