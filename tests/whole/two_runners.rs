//! Two runners in one workbook at once: neither waits for the other for long, and neither loses the other's progress.
#![cfg(unix)]

use std::process::{Child, Stdio};

use crate::support;
use crate::watching::{Book, RIGHT, Watching};

fn run(book: &Book, arguments: &[&str]) -> Child {
    let mut command = support::asynclings();
    command
        .current_dir(book.root())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn both_verdicts_are_remembered() {
    let book = Book::new(RIGHT);
    let runners: Vec<Child> = ["first", "second", "first", "second"]
        .iter()
        .map(|name| run(&book, &["run", name, "--offline"]))
        .collect();
    for mut runner in runners {
        assert_eq!(runner.wait().unwrap().code(), Some(0));
    }
    let list = support::asynclings()
        .current_dir(book.root())
        .args(["list", "--format", "json"])
        .output()
        .unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(list["done"], 2, "{list:#}");
    assert_eq!(
        book.progress().matches("attempts = 2").count(),
        2,
        "{}",
        book.progress()
    );
}

#[test]
fn a_run_beside_watch_mode_is_judged_and_both_are_remembered() {
    let book = Book::new(RIGHT);
    let mut watching = Watching::start(&book);
    watching.sees("passed, press n for");
    assert_eq!(
        run(&book, &["run", "second"]).wait().unwrap().code(),
        Some(0)
    );
    watching.press("q");
    watching.ends();
    assert_eq!(
        book.progress().matches("done = true").count(),
        2,
        "{}",
        book.progress()
    );
}
