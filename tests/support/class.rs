//! A class of learners on the workbook of one exercise, graded by the real binary.
#![allow(dead_code, reason = "each test binary uses its share")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{Tiny, asynclings};

pub struct Class {
    pub tiny: Tiny,
    /// Stands in its texts: no other class has it, in this run of the tests or in another, so that none knows its
    /// verdicts.
    pub mark: String,
}

/// A grading that was done.
pub struct Graded {
    pub output: Output,
    /// As `--report class.json` wrote it.
    pub report: String,
}

impl Class {
    pub fn new() -> Self {
        let tiny = Tiny::new("");
        let folder = tiny.dir.path().file_name().unwrap();
        let mark = folder.to_str().unwrap().to_owned();
        fs::create_dir(tiny.dir.path().join("class")).unwrap();
        let class = Self { tiny, mark };
        fs::write(
            class.workbook().join("exercises/01_test/tiny.rs"),
            class.untouched(),
        )
        .unwrap();
        class
    }

    /// The exercise as it is handed out.
    pub fn untouched(&self) -> String {
        format!(
            "// {}\npub async fn serve(order: u64) -> u64 {{\n    order\n}}\n\nfn main() {{}}\n",
            self.mark
        )
    }

    /// Beside the workbook, which the learners must not see.
    pub fn folder(&self) -> PathBuf {
        self.tiny.dir.path().join("class")
    }

    pub fn workbook(&self) -> PathBuf {
        self.tiny.dir.path().join("tiny workbook")
    }

    /// A learner's folder with this text in it.
    pub fn learner(&self, name: &str, text: &str) -> PathBuf {
        let folder = self.folder().join(name);
        let file = folder.join("exercises/01_test/tiny.rs");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        folder
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = asynclings();
        command
            .current_dir(self.workbook())
            .arg("grade")
            .args(arguments);
        command
    }

    /// All learners' folders, in the order of the file system: no order is part of a report.
    pub fn folders(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    pub fn grade(&self, arguments: &[&str]) -> Graded {
        let report = self.tiny.dir.path().join("class.json");
        let output = self
            .command(arguments)
            .arg("--report")
            .arg(&report)
            .args(self.folders())
            .output()
            .unwrap();
        let report = fs::read_to_string(report).unwrap_or_default();
        Graded { output, report }
    }
}

impl Graded {
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// The row of each learner.
    pub fn rows(&self) -> BTreeMap<String, Value> {
        let rows = self.report.lines().skip(1).map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            (row["learner"].as_str().unwrap().to_owned(), row)
        });
        rows.collect()
    }

    /// The report without what a clock said, nor what a seed was, which hangs on the text.
    pub fn without_times(&self) -> String {
        without_times(&self.report)
    }
}

pub fn without_times(report: &str) -> String {
    let mut text = report.to_owned();
    for name in ["\"compile_ms\":", "\"run_ms\":", "\"ms\":", " seed "] {
        let mut parts = text.split(name);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            kept.push_str(name);
            kept.push_str(rest);
        }
        text = kept;
    }
    text
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
