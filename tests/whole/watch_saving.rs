//! Saves of every kind, at any moment: none is lost, and none is taken for two.
#![cfg(unix)]

use std::fs;
use std::io::Write;

use crate::watching::{Book, HANGS, RIGHT, SPINS, WRONG, Watching};

#[test]
fn a_save_during_a_run_ends_it_and_starts_over() {
    let book = Book::new(SPINS);
    let mut watching = Watching::start(&book);
    watching.sees("checking");
    book.save("first", RIGHT);
    let passed = watching.sees_that("a verdict", |frame| {
        frame.contains("✓ passed") || frame.contains("✗ hung")
    });
    assert!(
        passed.contains("✓ passed"),
        "the older run was waited for:\n{passed}"
    );
}

#[test]
fn of_two_saves_in_a_row_the_last_counts() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    for _ in 0..5 {
        book.save("first", HANGS);
        book.save("first", RIGHT);
        watching.sees("passed, press n for the next");
        book.save("first", RIGHT);
        book.save("first", WRONG);
        watching.sees("find the line that breaks the promise");
    }
}

#[test]
fn a_save_by_rename_is_seen() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    let (exercise, beside) = (book.exercise("first"), book.exercise("first.new"));
    fs::write(&beside, RIGHT).unwrap();
    fs::rename(&beside, &exercise).unwrap();
    watching.sees("passed, press n for the next");
    // As vim does it: the old file goes away first.
    fs::rename(&exercise, book.exercise("first.old")).unwrap();
    fs::write(&exercise, WRONG).unwrap();
    watching.sees("check failed");
}

#[test]
fn a_file_that_is_written_in_pieces_is_checked_whole() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    let mut file = fs::File::create(book.exercise("first")).unwrap();
    for piece in RIGHT.as_bytes().chunks(7) {
        file.write_all(piece).unwrap();
        file.sync_all().unwrap();
    }
    drop(file);
    watching.sees("passed, press n for the next");
}

#[test]
fn a_file_that_goes_is_missed_and_one_that_comes_back_is_checked() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    fs::remove_file(book.exercise("first")).unwrap();
    watching.sees("is gone");
    book.save("first", RIGHT);
    watching.sees("passed, press n for the next");
    let chapter = book.root().join("exercises/01_test");
    let aside = book.root().join("aside");
    fs::rename(&chapter, &aside).unwrap();
    watching.sees("is gone");
    fs::rename(&aside, &chapter).unwrap();
    watching.sees("passed, press n for the next");
    book.save("first", WRONG);
    watching.sees("check failed");
}

#[test]
fn a_touch_runs_it_again_and_the_same_bytes_do_not() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.look_from_now();
    let file = fs::File::options()
        .write(true)
        .open(book.exercise("first"))
        .unwrap();
    // Both times at once, as `touch` does: the kernel calls anything else a write.
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let times = fs::FileTimes::new()
        .set_accessed(long_ago)
        .set_modified(long_ago);
    file.set_times(times).unwrap();
    drop(file);
    watching.sees("checking");
    watching.sees("next: ");
    // Were it taken for a save, "checking" would come before the answer to the key.
    book.save("first", WRONG);
    watching.look_from_now().press("x");
    let asked = watching.sees_that("the question", |frame| {
        frame.contains("checking") || frame.contains("y yes")
    });
    assert!(asked.contains("y yes"), "{asked}");
}

#[test]
fn another_exercise_that_is_saved_is_offered() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    book.save("second", RIGHT);
    watching.sees("you saved `second`");
    watching.press("g");
    let passed = watching.sees("passed, press n for the next");
    assert!(passed.contains("exercises/01_test/second.rs"), "{passed}");
}

#[test]
fn without_events_files_are_polled_with_a_word_about_it() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start_with(&book, (100, 40), &[("ASYNCLINGS_POLL", "1")]);
    watching.sees("ASYNCLINGS_POLL is set");
    watching.sees("check failed");
    book.save("first", RIGHT);
    watching.sees("passed, press n for the next");
    fs::remove_dir_all(book.root().join("exercises")).unwrap();
    watching.sees("is gone");
    fs::create_dir_all(book.root().join("exercises/01_test")).unwrap();
    book.save("first", WRONG);
    watching.sees("check failed");
}

#[test]
fn a_folder_that_is_replaced_is_polled_from_then_on() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    fs::remove_dir_all(book.root().join("exercises")).unwrap();
    watching.sees("is gone");
    fs::create_dir_all(book.root().join("exercises/01_test")).unwrap();
    book.save("first", RIGHT);
    watching.sees("passed, press n for the next");
}
