//! Watch mode in lines: for screen readers, dumb terminals and pipes. All that the screen can do can be done here.
#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::watching;
use crate::watching::{Book, RIGHT, WRONG, Watching};

#[test]
fn a_dumb_terminal_gets_lines_and_no_escape_code() {
    let book = Book::committed(WRONG);
    let mine = book.root().join("mine.rs");
    std::fs::write(&mine, RIGHT).unwrap();
    let vim = book.editor(
        "vim",
        &format!("echo the editor; read -r line; cp {mine:?} \"$2\""),
    );
    let editor = vim.display().to_string();
    let mut watching = Watching::start_dumb(&book, &[("EDITOR", &editor)]);
    watching.hears("Welcome to asynclings.");
    watching.hears("type a key or its word, then Enter");
    watching.hears("check failed");
    watching.hears("next: ");
    for (line, answer) in [
        ("h", "hint 1 of 3"),
        ("hint", "hint 2 of 3"),
        ("zz", "`zz` is no key"),
        ("?", "the keys: n next"),
        ("n", "n once more goes on all the same"),
        ("g sec", "second: The second one"),
        ("", "next: "),
        ("p", "first: The first one"),
        ("r", "next: "),
        ("l", "01_test  Test"),
        ("", "first: The first one"),
        ("e", "the book has no page for exercise `first`"),
        ("", "first: The first one"),
        ("c", "0 of 2 passed"),
        ("m", "it ended with exit status 0"),
        ("", "first: The first one"),
        ("x", "y or n"),
        ("n", "nothing was reset"),
    ] {
        watching.press(&format!("{line}\r"));
        watching.hears(answer);
    }
    watching.press("o\r");
    watching.hears("the editor");
    watching.press("q\r");
    watching.hears("passed, press n for the next exercise");
    watching.press("x\ry\r");
    watching.hears("u brings back what it replaced");
    watching.hears("next: ");
    watching.press("u\r");
    watching.hears("is back, as it was before the reset");
    watching.hears("passed, press n for the next exercise");
    book.save("first", WRONG);
    watching.hears("next: ");
    let said = watching.unframed();
    assert!(!said.contains('\x1b'), "{said:?}");
    watching.press("q\r");
    let ended = watching.ends();
    assert_eq!(ended.status, 0);
    assert!(
        ended.text.contains("`asynclings` goes on from here"),
        "{}",
        ended.text
    );
    assert_eq!(ended.settings, Watching::settings_of_a_new_terminal());
}

#[test]
fn a_pipe_gets_lines_where_somebody_asks_for_them() {
    let book = Book::new(WRONG);
    // The end of what is typed is the end.
    for (typed, last) in [("l\nq\nh\n", "01_test  Test"), ("", "Welcome")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asynclings"));
        let input = book.root().join("typed");
        std::fs::write(&input, typed).unwrap();
        let output = command
            .arg("--plain")
            .current_dir(book.root())
            .env("ASYNCLINGS_CACHE", watching::cache())
            .env("FORCE_HYPERLINK", "1")
            .stdin(Stdio::from(std::fs::File::open(&input).unwrap()))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(
            said.contains(last) && said.contains("first: not checked"),
            "{said}"
        );
        assert!(
            !said.contains('\x1b') && !said.contains("hint 1"),
            "{said:?}"
        );
    }
}
