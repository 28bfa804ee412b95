//! The terminal is drawn for its size and given back as it was, however watch mode ends.
#![cfg(unix)]

use rustix::process::{Pid, Signal, kill_process};

use crate::watching;
use crate::watching::{Book, HANGS, RIGHT, SPINS, WRONG, Watching};

fn signal(watching: &Watching, signal: Signal) {
    let pid = Pid::from_raw(watching.pid().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// Ends watch mode at rest and during a run; exit status and terminal must be as they should.
fn gives_back(status: u32, end: impl Fn(&mut Watching)) {
    for (text, shown) in [(WRONG, "next: "), (SPINS, "checking")] {
        let book = Book::new(text);
        let mut watching = Watching::start(&book);
        // The slave's settings before the runner could change them are those of every new pseudo-terminal.
        let fresh = Watching::settings_of_a_new_terminal();
        watching.sees(shown);
        assert_ne!(watching.settings(), fresh, "raw mode is not on");
        assert_eq!(watching.holds_screen(), (true, true));
        end(&mut watching);
        let ended = watching.ends();
        assert_eq!(ended.status, status, "{}", ended.text);
        assert_eq!(ended.settings, fresh);
        assert!(!ended.alternate && !ended.cursor_hidden);
        assert!(ended.text.starts_with("first: "), "{}", ended.text);
    }
}

#[test]
fn q_gives_it_back() {
    gives_back(0, |watching| watching.press("q"));
}

#[test]
fn ctrl_c_gives_it_back() {
    gives_back(130, |watching| watching.press("\x03"));
}

#[test]
fn sigterm_and_sigint_give_it_back() {
    gives_back(130, |watching| signal(watching, Signal::TERM));
    gives_back(130, |watching| signal(watching, Signal::INT));
}

#[test]
fn ctrl_z_gives_it_back_until_it_is_continued() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start(&book);
    watching.sees("next: ");
    let raw = watching.settings();
    watching.press("\x1a");
    watching.is_stopped();
    assert_eq!(watching.settings(), Watching::settings_of_a_new_terminal());
    watching.look_from_now();
    signal(&watching, Signal::CONT);
    watching.sees("next: ");
    assert_eq!(watching.settings(), raw);
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
}

#[test]
fn every_size_is_drawn_for() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start_with(&book, (60, 24), &[]);
    watching.sees("check failed");
    for (columns, rows) in [(200, 50), (60, 10), (20, 5), (100, 40)] {
        watching.look_from_now().resize(columns, rows);
        let keys = if rows < 20 { "? all keys" } else { "e explain" };
        let frame = watching.sees_that("the keys", |frame| {
            frame.contains(keys) || frame.lines().count() > 0 && columns < 60
        });
        assert!(frame.lines().count() <= usize::from(rows), "{frame}");
    }
    watching.sees("check failed");
    // The first key after it, and no second one that would bring it along.
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
}

/// A check that failed prints the seed of its random values.
fn without_seed(frame: &str) -> String {
    let lines = frame.lines().map(|line| match line.split_once("seed ") {
        Some((before, _)) => format!("{before}seed N)"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A sentence, wherever the lines end.
fn says(watching: &mut Watching, sentence: &str) {
    watching.sees_that(sentence, |frame| {
        let words: Vec<_> = frame.split_whitespace().collect();
        words.join(" ").contains(sentence)
    });
}

/// Fail, hint, hang, reset, undo, solve, go to another, resize, quit; the screens are kept in `snapshots/`.
fn a_session_at(columns: u16, rows: u16) {
    let shows = |what: &str, frame: String| {
        insta::assert_snapshot!(format!("{columns}x{rows}_{what}"), without_seed(&frame));
    };
    let book = Book::committed(WRONG);
    let mut watching = Watching::start_with(&book, (columns, rows), &[]);
    shows("first_start", watching.sees("next: "));
    watching.press("h");
    shows("failed", watching.sees("hint 1 of 3"));
    let hung = |frame: &str| frame.contains("hung (waiting)") && frame.contains("next: ");
    book.save("first", HANGS);
    let frame = watching.sees_that("the hang", hung);
    // Other systems than Linux have no chain of awaits.
    if cfg!(target_os = "linux") {
        shows("hung", frame);
    }
    watching.press("x");
    shows("reset_asked", watching.sees("y yes  n no"));
    watching.press("y");
    says(&mut watching, "u brings back what it replaced");
    watching.sees_that("the reset text's verdict", |frame| {
        frame.contains("check failed") && frame.contains("next: ")
    });
    watching.press("u");
    says(&mut watching, "is back, as it was before the reset");
    watching.sees_that("the hang again", hung);
    book.save("first", RIGHT);
    let passed = watching.sees_that("the pass at rest", |frame| {
        frame.contains("✓ passed") && frame.contains("passed, press n for the next")
    });
    shows("passed", passed);
    watching.press("g");
    shows("going", watching.sees("go to: _"));
    watching.press("sec\t");
    watching.sees("go to: second_");
    watching.press("\x1b");
    watching.sees("passed, press n for the next");
    watching.look_from_now().resize(columns + 10, rows + 3);
    watching.sees("passed, press n for the next");
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
}

#[test]
fn a_session_on_a_small_screen() {
    a_session_at(60, 15);
}

#[test]
fn a_session_on_a_usual_screen() {
    a_session_at(80, 24);
}

#[test]
fn a_session_on_a_large_screen() {
    a_session_at(200, 50);
}

#[test]
fn an_editor_has_the_terminal_and_its_keys_to_itself_and_gives_it_back() {
    let book = Book::new(HANGS);
    let right = book.root().join("right.rs");
    std::fs::write(&right, RIGHT).unwrap();
    // Writes down what it was given and what was typed; told to, it fails.
    let vim = book.editor(
        "vim",
        &format!(
            "echo \"the editor: $*\"; read -r line; echo \"$line\" > typed\n\
             [ \"$line\" = fail ] && exit 3\ncp {right:?} \"$3\""
        ),
    );
    let editor = format!("{} -n", vim.display());
    let mut watching = Watching::start_with(&book, (100, 40), &[("EDITOR", &editor)]);
    watching.sees("next: ");
    let raw = watching.settings();

    watching.press("o");
    let opened = watching.hears("exercises/01_test/first.rs");
    assert!(opened.contains("vim is open"), "{opened}");
    if cfg!(target_os = "linux") {
        assert!(opened.contains("the editor: -n +2 "), "{opened}");
    }
    assert_eq!(watching.settings(), Watching::settings_of_a_new_terminal());
    watching.resize(90, 30);
    watching.press("hqx\r");
    let passed = watching.sees("passed, press n for the next");
    assert_eq!(passed.lines().count(), 30, "{passed}");
    assert_eq!(watching.settings(), raw);
    assert_eq!(watching.holds_screen(), (true, true));
    let typed = std::fs::read_to_string(book.root().join("typed")).unwrap();
    assert_eq!(typed, "hqx\n");

    watching.look_from_now().press("o");
    watching.hears("the editor: ");
    watching.press("fail\r");
    watching.sees("vim ended with exit status: 3");
    watching.sees("passed, press n for the next");
    // Ctrl-C is for the editor, too.
    watching.press("o");
    watching.hears("the editor: ");
    watching.press("\x03");
    watching.sees("vim ended with signal: 2");
    watching.press("h");
    watching.sees("hint 1 of 3");
    watching.press("q");
    assert_eq!(watching.ends().status, 0);
}

#[test]
fn without_colour_not_one_colour_is_sent() {
    let book = Book::new(WRONG);
    let mut watching = Watching::start_with(&book, (100, 40), &[("NO_COLOR", "1")]);
    watching.sees("next: ");
    assert!(!watching.has_colour());
    let mut coloured = Watching::start(&book);
    coloured.sees("next: ");
    assert!(coloured.has_colour());
}

/// Not a test of its own: what the next one runs in a terminal.
#[test]
fn panics_while_it_holds_the_terminal() {
    if std::env::var_os("PANIC_IN_TERMINAL").is_some() {
        let mut terminal = asynclings::terminal::Terminal::enter().unwrap();
        terminal.draw(&["drawn".to_owned()]).unwrap();
        panic!("it went wrong");
    }
}

#[test]
fn a_panic_gives_it_back_and_is_readable() {
    let mut command = portable_pty::CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "watch_terminal::panics_while_it_holds_the_terminal",
        "--nocapture",
    ]);
    command.env("PANIC_IN_TERMINAL", "1");
    let ended = Watching::run(command, (100, 40)).ends();
    assert_ne!(ended.status, 0);
    assert_eq!(ended.settings, Watching::settings_of_a_new_terminal());
    assert!(!ended.alternate && !ended.cursor_hidden);
    assert!(ended.text.contains("it went wrong"), "{}", ended.text);
    assert!(!ended.text.contains("drawn"), "{}", ended.text);
}

#[test]
fn a_window_that_is_closed_ends_it() {
    for text in [WRONG, SPINS] {
        watching::close_the_window_at(&Book::new(text), "checking");
    }
}
