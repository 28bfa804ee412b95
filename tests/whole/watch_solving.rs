//! Watch mode, as a learner meets it: save, read the verdict, go on.
#![cfg(unix)]

use crate::watching::{Book, HANGS, RIGHT, WRONG, Watching};

#[test]
fn an_exercise_is_solved_by_saving_the_solution_over_it_and_pressing_n() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("Welcome to asynclings");
    let failed = watching.sees("check failed");
    assert!(failed.contains("an order gets the next number"), "{failed}");
    assert!(failed.contains("expected  21"), "{failed}");

    book.save("first", RIGHT);
    watching.sees("passed, press n for the next");
    watching.press("n");
    watching.sees("exercises/01_test/second.rs");
    watching.sees("check failed");

    book.save("second", RIGHT);
    watching.sees("passed, press n for the next");
    watching.press("n");
    watching.sees("the workbook is done");
    watching.press("q");
    let ended = watching.ends();
    assert_eq!(ended.status, 0);
    assert!(ended.text.contains("2 of 2 done"), "{}", ended.text);
    assert!(book.progress().contains("first"), "{}", book.progress());
}

#[test]
fn passing_does_not_go_on_by_itself_and_n_before_it_is_answered_with_a_word() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    watching.press("n");
    watching.sees("not passed yet");
    book.save("first", RIGHT);
    let passed = watching.sees("passed, press n for the next");
    assert!(passed.contains("exercises/01_test/first.rs"), "{passed}");
}

#[test]
fn a_hang_names_its_line() {
    let book = Book::new(HANGS);
    let mut watching = Watching::start(&book);
    let hung = watching.sees("hung (waiting)");
    // Other systems than Linux have no chain of awaits.
    if cfg!(target_os = "linux") {
        assert!(hung.contains("exercises/01_test/first.rs:2"), "{hung}");
        assert!(hung.contains("notified().await"), "{hung}");
    }
}

#[test]
fn a_mistake_that_does_not_compile_is_shown_as_rustc_shows_it() {
    let book = Book::new(&WRONG.replace("order\n", "ordre\n"));
    let mut watching = Watching::start(&book);
    let refused = watching.sees("does not compile");
    assert!(refused.contains("error[E0425]"), "{refused}");
    assert!(
        refused.contains("exercises/01_test/first.rs:2:5"),
        "{refused}"
    );
}
