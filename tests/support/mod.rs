//! What whole-program tests share: a workbook in a temporary folder, one prepared cache, the real binary.
#![allow(dead_code, reason = "each test binary uses its share")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The lab is built once for all tests; the runner's own lock makes the others wait.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// The real binary, with the tests' cache and none of the caller's colours.
pub fn asynclings() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asynclings"));
    command
        .env("ASYNCLINGS_CACHE", cache())
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE");
    command
}

/// A workbook with one exercise, `tiny`, whose contract is: `serve(n)` resolves to `n + 1`.
pub struct Tiny {
    pub dir: TempDir,
}

pub const TINY_SOLUTION: &str =
    "pub async fn serve(order: u64) -> u64 {\n    order + 1\n}\n\nfn main() {}\n";

const TINY_CHECKS: &str = r#"use crate::exercise::serve;

#[test]
fn an_order_gets_the_next_number() {
    lab::paused(|| async {
        lab::expect_eq(serve(20).await, 21, "the number of the order");
    });
}
"#;

const TINY_INFO: &str = r#"format_version = 1

[[chapters]]
id = "01_test"
title = "Test"

[[exercises]]
name = "tiny"
chapter = "01_test"
title = "Tiny"
minutes = 1
difficulty = 1
starts_as = { verdict = "check_failed", check = "an_order_gets_the_next_number" }
hints = ["Look.", "Think.", "Do."]
sources = ["none"]
"#;

impl Tiny {
    /// `exercise` is the learner's file as it stands.
    pub fn new(exercise: &str) -> Self {
        Self::named("tiny workbook", exercise)
    }

    /// The same in a folder of this name.
    pub fn named(folder: &str, exercise: &str) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("asynclings-")
            .tempdir()
            .unwrap();
        let tiny = Self { dir };
        fs::create_dir(tiny.dir.path().join(folder)).unwrap();
        let root = tiny.dir.path().join(folder);
        for (path, text) in [
            ("info.toml", TINY_INFO),
            ("exercises/01_test/tiny.rs", exercise),
            ("solutions/01_test/tiny.rs", TINY_SOLUTION),
            ("checks/01_test/tiny.rs", TINY_CHECKS),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        tiny
    }

    pub fn root(&self) -> PathBuf {
        fs::read_dir(self.dir.path())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    }

    pub fn exercise(&self) -> PathBuf {
        self.root().join("exercises/01_test/tiny.rs")
    }

    pub fn asynclings(&self, args: &[&str]) -> Output {
        asynclings()
            .current_dir(self.root())
            .args(args)
            .output()
            .unwrap()
    }

    /// The verdict as JSON, and the exit status.
    pub fn verdict(&self) -> (Value, Option<i32>) {
        let output = self.asynclings(&["run", "tiny", "--format", "json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!(
                "no verdict ({error}): {text}\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
        });
        (value, output.status.code())
    }
}

/// The line of the first `needle`, counted from 1.
pub fn line_of(source: &str, needle: &str) -> u64 {
    source
        .lines()
        .position(|line| line.contains(needle))
        .map_or(0, |at| at as u64 + 1)
}

/// Waits for the event, not for a while; the limit only bounds a failing test.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::yield_now();
    }
}

/// Processes with this mark in their command line.
#[cfg(target_os = "linux")]
pub fn running(mark: &str) -> usize {
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| String::from_utf8_lossy(line).contains(mark))
        .count()
}

/// What a command said, which must have ended so and have these words in it.
#[track_caller]
pub fn ends(output: &Output, status: i32, words: &[&str]) -> String {
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert_eq!(output.status.code(), Some(status), "{said}");
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
    said
}
