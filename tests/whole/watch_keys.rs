//! Every key is heard at any moment, also during a run.
#![cfg(unix)]

use std::fs;

use crate::watching::{Book, RIGHT, SPINS, WRONG, Watching};

#[test]
fn keys_are_heard_during_a_run() {
    let book = Book::new(SPINS);
    let mut watching = Watching::start(&book);
    watching.sees("checking");
    watching.press("h");
    watching.sees("hint 1 of 3");
    watching.press("h");
    watching.sees("hint 2 of 3");
    watching.press("l");
    watching.sees("2 exercises, 0 done");
    watching.press("l");
    watching.sees("hint 2 of 3");
    watching.press("n");
    watching.sees("the check is still running");
    watching.press("zZ?\x1b[24~");
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
    assert!(book.progress().contains("hints = 2"), "{}", book.progress());
}

#[test]
fn r_runs_it_again() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.look_from_now().press("r");
    watching.sees("checking");
    watching.sees("next: ");
}

#[test]
fn a_reset_is_asked_for_and_n_leaves_all_as_it_is() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    book.save("first", RIGHT);
    watching.sees("passed, press n for the next");
    watching.press("x");
    watching.sees("y yes  n no");
    watching.press("n");
    watching.sees("nothing was reset");
    assert_eq!(fs::read_to_string(book.exercise("first")).unwrap(), RIGHT);
}

#[test]
fn m_shows_what_main_prints_and_only_its_end() {
    let prints = "fn main() {\n    println!(\"begins\");\n    for line in 0..100_000 {\n        println!(\"line {line}\");\n    }\n    println!(\"done \\u{1b}[2J here\");\n}\n";
    let book = Book::new(&WRONG.replace("fn main() {}\n", prints));
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    watching.press("m");
    watching.sees("what its main prints");
    let end = watching.sees_that("its end", |frame| frame.contains("Esc goes back"));
    assert!(end.contains("exit status 0"), "{end}");
    assert!(!end.contains("begins"), "{end}");
    watching.press("\x1b");
    watching.sees("check failed");
}

#[test]
fn c_checks_all() {
    let book = Book::new(WRONG);
    book.save("second", RIGHT);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    watching.press("c");
    let all = watching.sees("checked 2 of 2");
    assert!(all.contains("✗ first: check failed"), "{all}");
    assert!(all.contains("✓ second: passed"), "{all}");
    watching.press("c");
    watching.press("\x1b");
    watching.sees("find the line that breaks the promise");
}

#[test]
fn y_restores_what_was_shipped_and_keeps_the_learners_text() {
    let book = Book::shipped();
    let mut watching = Watching::start(&book);
    let shown = watching.sees("next: ");
    let file = shown
        .lines()
        .find_map(|line| line.trim().strip_prefix("exercises/"));
    // The chapter stands at the right of it.
    let file = file.and_then(|line| line.split_whitespace().next());
    let file = book.root().join("exercises").join(file.unwrap());
    let shipped = fs::read_to_string(&file).unwrap();
    fs::write(&file, "fn main() { mine }\n").unwrap();
    watching.sees("fn main() { mine }");
    watching.press("x");
    watching.sees("y yes  n no");
    watching.press("y");
    watching.sees("your text is kept in .asynclings/kept/");
    assert_eq!(fs::read_to_string(&file).unwrap(), shipped);
    let kept = fs::read_dir(book.root().join(".asynclings/kept")).unwrap();
    let kept: Vec<_> = kept
        .map(|kept| fs::read_to_string(kept.unwrap().path()).unwrap())
        .collect();
    assert_eq!(kept, ["fn main() { mine }\n"]);
}

#[test]
fn e_explains_up_to_the_fix_and_scrolls() {
    let book = Book::shipped();
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.press("e");
    let page = watching.sees("The incident");
    assert!(page.contains("Esc goes back to the exercise"), "{page}");
    // Far enough for any page.
    watching.look_from_now().press(&"\x1b[6~".repeat(40));
    let end = watching.sees("The fix follows here");
    assert!(!end.contains("The fix, line by line"), "{end}");
    watching.press("e");
    watching.sees("next: ");
}

#[test]
fn e_says_so_where_the_book_has_no_page() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("check failed");
    watching.press("e");
    watching.sees("the book has no page for exercise `first`");
    watching.press("\x1b");
    watching.sees("check failed");
}

#[test]
fn n_twice_goes_on_without_a_pass_and_p_comes_back() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.press("n");
    watching.sees("n once more goes on all the same");
    watching.press("n");
    watching.sees("exercises/01_test/second.rs");
    watching.sees("next: ");
    watching.look_from_now().press("p");
    watching.sees("exercises/01_test/first.rs");
    watching.look_from_now().press("p");
    watching.sees("this is the first exercise");
}

#[test]
fn u_brings_back_what_a_reset_replaced() {
    let book = Book::shipped();
    let file = book.root().join("exercises/01_runtime/lazy_future.rs");
    let shipped = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "fn main() { mine }\n").unwrap();
    let mut watching = Watching::start(&book);
    watching.sees("does not compile");
    watching.press("x");
    watching.sees("y yes  n no");
    watching.press("y");
    watching.sees("u brings back what it replaced");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), shipped);
    watching.look_from_now().press("u");
    watching.sees("is back, as it was before the reset");
    watching.sees("does not compile");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "fn main() { mine }\n"
    );
}

#[test]
fn l_opens_the_table_and_goes_where_it_says() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    assert!(!watching.has_mouse());
    watching.press("l");
    watching.sees("2 exercises, 0 done");
    watching.press("q");
    watching.sees("exercises/01_test/first.rs");
    assert!(!watching.has_mouse());
    watching.look_from_now().press("l");
    watching.sees("you are here");
    assert!(watching.has_mouse());
    watching.press("j");
    watching.sees("The second one · Test");
    watching.press("h");
    watching.sees("hint 1 of 3");
    watching.press("q\r");
    watching.sees("exercises/01_test/second.rs");
    watching.sees("next: ");
    watching.press("\x03");
    let ended = watching.ends();
    assert!(!ended.mouse);
    let progress = book.progress();
    assert!(progress.contains("current = \"second\""), "{progress}");
    assert!(progress.contains("hints = 1"), "{progress}");
}

#[test]
fn d_shows_our_fix_once_theirs_has_passed() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.press("d");
    watching.sees("our fix stays hidden");
    book.save("first", &RIGHT.replace("order + 1", "order + 2 - 1"));
    watching.sees("d shows our fix beside yours");
    watching.press("d");
    let both = watching.sees("ours: solutions/01_test/first.rs");
    for part in ["~     order + 2 - 1", "~     order + 1", "Esc goes back"] {
        assert!(both.contains(part), "{part}:\n{both}");
    }
    watching.look_from_now().resize(60, 20);
    watching.sees("+++ solutions/01_test/first.rs (ours)");
    watching.look_from_now().press("\x1b");
    watching.sees("passed, press n for");
}

#[test]
fn what_no_key_does_is_said() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.press("z");
    watching.sees("z does nothing");
}

#[test]
fn what_was_checked_with_all_others_and_passed_lets_n_go_on() {
    let book = Book::new(RIGHT);
    let mut watching = Watching::start(&book);
    watching.sees("passed, press n for");
    watching.press("c");
    watching.sees("2 of 2 passed");
    watching.press("n");
    watching.sees("the workbook is done");
}

#[test]
fn g_goes_to_the_exercise_that_is_named() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    watching.press("gq");
    watching.sees("no exercise has that in its name");
    watching.press("\x7fSEC");
    watching.sees("> ");
    watching.press("\t");
    watching.sees("go to: second_");
    watching.press("\r");
    watching.sees("exercises/01_test/second.rs");
    watching.sees("next: ");
    watching.press("o");
    watching.sees("export EDITOR=vim");
}
