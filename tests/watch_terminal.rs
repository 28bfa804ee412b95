//! The terminal is drawn for its size and given back as it was, however watch mode ends.
#![cfg(unix)]

#[path = "support/watching.rs"]
mod watching;

use rustix::process::{Pid, Signal, kill_process};
use watching::{Book, SPINS, WRONG, Watching};

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
        let keys = if columns < 60 { "quit" } else { "e explain" };
        let frame = watching.sees_that("the keys", |frame| {
            frame.contains(keys) || frame.lines().count() > 0 && columns < 60
        });
        assert!(frame.lines().count() <= usize::from(rows), "{frame}");
    }
    watching.sees("check failed");
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
        "panics_while_it_holds_the_terminal",
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
