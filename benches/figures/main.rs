//! The figures of the design, measured: ratios in one run, both sides printed. Judges nothing: a slow machine fails no
//! build. `cargo bench --bench figures`; for the comparison with rustlings, have `rustlings` 6.5.0 on the path.
#![allow(
    clippy::disallowed_methods,
    reason = "benches start processes and write fixtures"
)]

mod bare;
mod hangs;
mod rustlings;
#[path = "../../tests/support/mod.rs"]
mod support;
mod watch_mode;
#[path = "../../tests/support/watching.rs"]
mod watching;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Solved in the benches: ten checks, tasks, panics and a paused clock.
const EXERCISE: &str = "lost_panic";
const ROUNDS: usize = 15;

fn main() {
    println!(
        "{} cores; medians of {ROUNDS} rounds, sides alternating\n",
        std::thread::available_parallelism().unwrap()
    );
    let workbook = Workbook::solved();
    bare::compare(&workbook);
    rustlings::compare(&workbook);
    hangs::measure(&workbook);
    watch_mode::measure();
}

/// A workbook as `init` writes it, with one exercise solved.
pub struct Workbook {
    dir: TempDir,
}

impl Workbook {
    fn solved() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let workbook = Self { dir };
        assert!(
            support::asynclings()
                .arg("init")
                .arg(workbook.root())
                .status()
                .unwrap()
                .success()
        );
        fs::write(workbook.exercise(EXERCISE), workbook.solution()).unwrap();
        workbook
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().join("workbook")
    }

    pub fn exercise(&self, name: &str) -> PathBuf {
        let chapters = fs::read_dir(self.root().join("exercises"))
            .unwrap()
            .flatten();
        chapters
            .map(|chapter| chapter.path().join(format!("{name}.rs")))
            .find(|file| file.exists())
            .unwrap()
    }

    pub fn solution(&self) -> String {
        fs::read_to_string(repository("solutions")).unwrap()
    }

    /// The command that a learner types.
    pub fn run(&self, name: &str) -> Command {
        let mut command = support::asynclings();
        command
            .current_dir(self.root())
            .args(["run", name, "--format", "json"]);
        command
    }
}

/// A file of the solved exercise in this repository.
pub fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join("05_tasks")
        .join(format!("{EXERCISE}.rs"))
}

/// The same edit each time, and never the same text: a number in a comment.
pub fn edited(text: &str, round: usize, side: &str) -> String {
    format!("// edit {round} {side}\n{text}")
}

pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let result = work();
    (started.elapsed(), result)
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

pub fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1000.0)
}

/// One figure: what was measured, both sides, and what the design wants.
pub fn print(what: &str, sides: &str, seen: f64, reach: f64, higher_is_better: bool) {
    let reached = if higher_is_better {
        seen >= reach
    } else {
        seen <= reach
    };
    let (sign, word) = if higher_is_better {
        ("at least", "times")
    } else {
        ("at most", "")
    };
    let verdict = if reached { "reached" } else { "NOT reached" };
    println!("{what}\n    {sides}\n    {seen:.2} {word} ({sign} {reach}): {verdict}\n");
}
