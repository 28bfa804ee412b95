//! What travels inside the binary: exercises, solutions, checks, the lab and the manifest, as they were at build time.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use include_dir::{Dir, File, include_dir};

use crate::core::book::Files;
use crate::exit::Fault;
use crate::prepare::LabSources;

pub const INFO: &str = include_str!("../info.toml");
/// What editors are told about info.toml.
pub const INFO_SCHEMA: &str = include_str!("../schema/info.schema.json");
/// The lab's guide, for authors of a pack.
pub const WRITING_CHECKS: &str = include_str!("../lab/src/writing_checks.md");
pub const LAB_MANIFEST: &str = include_str!("../lab/lab.toml");
/// The lab's own lock file: the versions of this repository's, without the runner's crates.
pub const LAB_LOCK: &str = include_str!("../lab/Cargo.lock");

/// As shipped, which in a clone need not be what lies in `exercises/` now: see build.rs.
static EXERCISES: Dir = include_dir!("$OUT_DIR/exercises");
static SOLUTIONS: Dir = include_dir!("$CARGO_MANIFEST_DIR/solutions");
static CHECKS: Dir = include_dir!("$CARGO_MANIFEST_DIR/checks");
static BOOK: [(&str, Dir); 6] = [
    ("book/src", include_dir!("$CARGO_MANIFEST_DIR/book/src")),
    (
        "book/drawings",
        include_dir!("$CARGO_MANIFEST_DIR/book/drawings"),
    ),
    (
        "book/verdicts",
        include_dir!("$CARGO_MANIFEST_DIR/book/verdicts"),
    ),
    (
        "book/listings",
        include_dir!("$CARGO_MANIFEST_DIR/book/listings"),
    ),
    (
        "book/figures",
        include_dir!("$CARGO_MANIFEST_DIR/book/figures"),
    ),
    ("book/theme", include_dir!("$CARGO_MANIFEST_DIR/book/theme")),
];
const BOOK_TOML: &str = include_str!("../book/book.toml");
static LAB: Dir = include_dir!("$CARGO_MANIFEST_DIR/lab/src");

/// The path below `exercises/`: `04_locks/self_deadlock.rs`.
pub fn exercise(path: &str) -> Option<&'static str> {
    EXERCISES.get_file(path)?.contents_utf8()
}

pub fn solution(path: &str) -> Option<&'static str> {
    SOLUTIONS.get_file(path)?.contents_utf8()
}

/// The book, and the solutions that its pages include.
pub fn book_files() -> Files {
    let solutions = ("solutions", &SOLUTIONS);
    let parts = BOOK
        .iter()
        .map(|(name, dir)| (*name, dir))
        .chain([solutions]);
    let mut texts = Files::from([("book/book.toml".to_owned(), BOOK_TOML.to_owned())]);
    for (name, dir) in parts {
        let all = files(dir).into_iter();
        texts.extend(all.filter_map(|file| {
            let inner = file.path().to_string_lossy().replace('\\', "/");
            Some((format!("{name}/{inner}"), file.contents_utf8()?.to_owned()))
        }));
    }
    texts
}

/// The lab, for `prepare` to build; of a workbook, see `Workbook::lab_sources`.
pub fn lab_sources() -> LabSources {
    let file = |file: &File| (Path::new("src").join(file.path()), file.contents().to_vec());
    LabSources {
        manifest: LAB_MANIFEST.to_string(),
        lock: LAB_LOCK.to_string(),
        files: files(&LAB).into_iter().map(file).collect(),
        added: Vec::new(),
        vendored: None,
    }
}

/// Checks and solutions as files, for rustc: a folder of the cache with `checks/` and `solutions/` in it. Written once
/// for each content, complete or not at all.
pub fn extracted(cache: &Path) -> Result<PathBuf> {
    let parts = [("checks", &CHECKS), ("solutions", &SOLUTIONS)];
    let target = cache.join(format!("content-{:016x}", fingerprint(&parts)));
    if target.is_dir() {
        return Ok(target);
    }
    let machine = || Fault::Machine(format!("cannot write the checks to {}", cache.display()));
    let extract = || -> std::io::Result<()> {
        fs::create_dir_all(cache)?;
        let scratch = tempfile::Builder::new()
            .prefix(".content-")
            .tempdir_in(cache)?;
        for (name, dir) in parts {
            fs::create_dir(scratch.path().join(name))?;
            dir.extract(scratch.path().join(name))?;
        }
        match fs::rename(scratch.path(), &target) {
            // Another runner was faster, with the same content.
            Err(_) if target.is_dir() => Ok(()),
            renamed => renamed,
        }
    };
    extract().with_context(machine)?;
    Ok(target)
}

fn fingerprint(parts: &[(&str, &Dir)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (name, dir) in parts {
        name.hash(&mut hasher);
        for file in files(dir) {
            (file.path(), file.contents()).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn files<'a>(dir: &'a Dir<'a>) -> Vec<&'a File<'a>> {
    let below = dir.dirs().flat_map(files);
    dir.files().chain(below).collect()
}
