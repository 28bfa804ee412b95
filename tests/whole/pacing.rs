//! Exercises that are held back, through the real binary and in a real terminal.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::asynclings;
use crate::watching::{Book, RIGHT, Watching};

/// Exit status, and all that was said.
fn said(root: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = asynclings().current_dir(root).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// `second` waits for what `dev gate` made of these words.
fn held_back(book: &Book, words: &str) {
    let (status, gate) = said(&book.root(), &["dev", "gate", words]);
    assert_eq!(status, Some(0));
    let sealed = gate
        .lines()
        .find(|line| line.starts_with("word = "))
        .unwrap();
    append(
        book,
        &format!("\n[[gates]]\nexercises = [\"second\"]\n{sealed}\n"),
    );
}

fn append(book: &Book, text: &str) {
    let info = book.root().join("info.toml");
    let whole = fs::read_to_string(&info).unwrap() + text;
    fs::write(info, whole).unwrap();
}

#[test]
fn a_closed_exercise_is_listed_refused_and_opened_by_its_word() {
    let book = Book::new(RIGHT);
    held_back(&book, "brown fox");
    let root = book.root();
    let info = fs::read_to_string(root.join("info.toml")).unwrap();
    assert!(!info.contains("fox"));

    let (_, list) = said(&root, &["list"]);
    assert!(list.contains("# closed second"), "{list}");
    let one_line = list.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        one_line.contains("it opens with the word that your instructor says"),
        "{list}"
    );
    let (_, list) = said(&root, &["list", "--format", "json"]);
    assert!(list.contains("\"closed\":\"it opens with"), "{list}");

    for args in [
        &["run", "second"][..],
        &["run", "second", "--solution"],
        &["hint", "second"],
        &["explain", "second"],
        &["solution", "second"],
        &["incident", "second"],
    ] {
        let (status, text) = said(&root, args);
        assert_eq!(status, Some(2), "{args:?}: {text}");
        assert!(
            text.contains("`second` is closed: it opens with the word"),
            "{args:?}: {text}"
        );
    }
    let (status, text) = said(&root, &["open", "red", "fox"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.contains("nothing in this workbook opens with that word"),
        "{text}"
    );

    let (status, text) = said(&root, &["open", "Brown", "Fox"]);
    assert_eq!((status, text.as_str()), (Some(0), "open now: second\n"));
    let (status, text) = said(&root, &["hint", "second"]);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn a_date_closes_and_opens_by_itself_and_check_all_leaves_out_what_is_closed() {
    let book = Book::new(RIGHT);
    append(
        &book,
        "\n[[gates]]\nexercises = [\"first\"]\nopens = 2020-01-01\n",
    );
    append(
        &book,
        "[[gates]]\nexercises = [\"second\"]\nopens = 9000-01-01T09:00:00+02:00\n",
    );
    let (status, text) = said(&book.root(), &["check-all"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("1 exercises are closed") && text.contains("1 of 1 passed"),
        "{text}"
    );
    let (status, text) = said(&book.root(), &["run", "second"]);
    assert_eq!(status, Some(2));
    assert!(
        text.contains("it opens on 9000-01-01 at 09:00 +02:00"),
        "{text}"
    );
}

#[test]
fn where_all_is_closed_run_says_so() {
    let book = Book::new(RIGHT);
    append(
        &book,
        "\n[[gates]]\nchapters = [\"01_test\"]\nopens = 9000-01-01\n",
    );
    let (status, text) = said(&book.root(), &["run"]);
    assert_eq!(status, Some(2));
    assert!(
        text.contains("no exercise is open yet; `first` is closed: it opens on 9000-01-01"),
        "{text}"
    );
}

#[test]
fn until_a_chapter_goes_with_what_follows_the_path() {
    let book = Book::new(RIGHT);
    let (status, list) = said(&book.root(), &["list", "--until", "1"]);
    assert_eq!(status, Some(0));
    assert!(list.contains("first") && list.contains("second"), "{list}");
    for (args, words) in [
        (
            &["list", "--until", "2"][..],
            "no chapter is called `2`; the chapters are 01_test",
        ),
        (
            &["doctor", "--until", "1"],
            "`--until` goes with watch mode",
        ),
    ] {
        let (status, text) = said(&book.root(), args);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn watch_mode_stops_before_a_closed_exercise_and_goes_on_with_its_word() {
    let book = Book::new(RIGHT);
    held_back(&book, "fox");
    let mut watching = Watching::start(&book);
    watching.sees("passed, press n for the next");
    watching.press("n");
    let shown = watching.sees("all that is open is done");
    assert!(
        shown.contains("`second` is closed: it opens with the word"),
        "{shown}"
    );
    watching.press("gsecond\r");
    watching.sees_that("the reason", |screen| {
        screen.matches("is closed: it opens").count() > 1
    });
    watching.press("gfox\r");
    watching.sees("`second` is open now");
    watching.press("n");
    watching.sees("exercises/01_test/second.rs");
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
    assert!(book.progress().contains("fox"), "{}", book.progress());
}
