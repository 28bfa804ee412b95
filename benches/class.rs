//! What a class costs: 200 folders of every kind, graded twice, and what each further learner adds. Both sides printed,
//! nothing judged. `cargo bench --bench class`; takes minutes, as it starts without a verdict.
#![allow(
    clippy::disallowed_methods,
    reason = "benches start processes and write fixtures"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LEARNERS: usize = 200;
/// Added then, who have not begun.
const FURTHER: usize = 2000;

fn main() {
    let dir = tempfile::tempdir().unwrap();
    for learner in 0..LEARNERS {
        hand_in(&dir.path().join(format!("learner-{learner:04}")), learner);
    }
    let _ = fs::remove_dir_all(support::cache().join("verdicts"));
    // So that the lab is there already.
    let ready = support::asynclings()
        .args(["run", "self_deadlock", "--solution"])
        .current_dir(repository())
        .output()
        .unwrap();
    assert!(
        ready.status.success(),
        "{}",
        String::from_utf8_lossy(&ready.stderr)
    );

    let cores = std::thread::available_parallelism().unwrap();
    println!(
        "{cores} cores; {LEARNERS} folders: untouched, solved, half solved, wrong, broken, hostile"
    );
    let first = graded(dir.path());
    println!("first run   {:8.2} s", first.as_secs_f64());
    let second = graded(dir.path());
    println!(
        "second run  {:8.2} s, {:.4} of the first",
        second.as_secs_f64(),
        second.as_secs_f64() / first.as_secs_f64()
    );
    for learner in LEARNERS..LEARNERS + FURTHER {
        hand_in(&dir.path().join(format!("learner-{learner:04}")), 0);
    }
    let more = graded(dir.path());
    let each = more.saturating_sub(second).as_secs_f64() / FURTHER as f64;
    println!(
        "{FURTHER} more    {:8.2} s, so {:.2} ms for each who has not begun",
        more.as_secs_f64(),
        each * 1000.0
    );
}

fn graded(class: &Path) -> Duration {
    let folders: Vec<PathBuf> = fs::read_dir(class)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let started = Instant::now();
    let output = support::asynclings()
        .current_dir(repository())
        .arg("grade")
        .args(folders)
        .output()
        .unwrap();
    let took = started.elapsed();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    print!("{}", String::from_utf8_lossy(&output.stderr));
    took
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Of ten learners four have not begun, two have solved everything, one half of it, one tried wrong fixes, one cannot
/// compile anything and one is hostile.
fn hand_in(folder: &Path, learner: usize) {
    copy(&repository().join("exercises"), &folder.join("exercises"));
    let exercises: Vec<PathBuf> = files(&folder.join("exercises"));
    for (at, file) in exercises.iter().enumerate() {
        let inner = file.strip_prefix(folder.join("exercises")).unwrap();
        let solution = repository().join("solutions").join(inner);
        match learner % 10 {
            0..4 => {}
            4 | 5 => drop(fs::copy(solution, file).unwrap()),
            6 if at % 2 == 0 => drop(fs::copy(solution, file).unwrap()),
            6 => {}
            7 => wrong(file, inner, learner / 10 % 3),
            8 => {
                let text = fs::read_to_string(file).unwrap();
                fs::write(file, text.replacen('{', "", 1)).unwrap();
            }
            _ => hostile(file, at),
        }
    }
}

fn wrong(file: &Path, inner: &Path, which: usize) {
    let variants = repository()
        .join("checks")
        .join(inner.with_extension(""))
        .join("wrong");
    let variants: Vec<PathBuf> = files(&variants)
        .into_iter()
        .filter(|variant| variant.extension() == file.extension())
        .collect();
    if let Some(variant) = variants.get(which) {
        fs::copy(variant, file).unwrap();
    }
}

fn hostile(file: &Path, at: usize) {
    let text = fs::read_to_string(file).unwrap();
    match at % 5 {
        0 => {
            fs::remove_file(file).unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink("/etc/passwd", file).unwrap();
        }
        1 => fs::write(file, vec![b'/'; 2 << 20]).unwrap(),
        2 => fs::write(
            file,
            text + "\nconst _: &str = include_str!(\"/etc/passwd\");\n",
        )
        .unwrap(),
        3 => fs::write(
            file,
            text + "\nconst _: &str = include_str!(\"checks.rs\");\n",
        )
        .unwrap(),
        _ => fs::write(
            file,
            text.replacen("await", "await; std::process::exit(0)", 1),
        )
        .unwrap(),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Below the folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    all.sort();
    all
}
