//! `list` in a terminal: a table to walk in, at three sizes; and the terminal is given back however it ends.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::watching::{self, Watching};

/// One that this program has an original of, so that it can be reset.
const FIRST: &str = "lazy_future";
const MINE: &str = "fn main() { mine }\n";

/// A workbook of twelve exercises, the second of which has passed. No lab is needed to list them.
struct Shelf {
    dir: TempDir,
}

impl Shelf {
    fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("asynclings-")
            .tempdir()
            .unwrap();
        let mut info = "format_version = 1\n".to_owned();
        for (id, title) in [("01_runtime", "Entering"), ("02_locks", "Locks that wait")] {
            info.push_str(&format!(
                "[[chapters]]\nid = \"{id}\"\ntitle = \"{title}\"\n"
            ));
        }
        info.push_str("[[tracks]]\nid = \"short\"\ntitle = \"A short way\"\nexercises = [\"wait_09\", \"wait_03\"]\n");
        for n in 1..=12 {
            let (name, chapter) = match n {
                1 => (FIRST.to_owned(), "01_runtime"),
                _ => (format!("wait_{n:02}"), "02_locks"),
            };
            info.push_str(&format!(
                "[[exercises]]\nname = \"{name}\"\nchapter = \"{chapter}\"\ntitle = \"The one that waits {n} times\"\n\
                 minutes = {}\ndifficulty = {}\nstarts_as = {{ verdict = \"check_failed\", check = \"a_check\" }}\n\
                 hints = [\"Look there.\", \"Think of it.\", \"Do this.\"]\nsources = [\"none\"]\n",
                30 - n,
                1 + n % 5,
            ));
        }
        let shelf = Self { dir };
        fs::create_dir_all(shelf.file().parent().unwrap()).unwrap();
        fs::create_dir(shelf.dir.path().join(".asynclings")).unwrap();
        fs::write(shelf.dir.path().join("info.toml"), info).unwrap();
        fs::write(shelf.file(), MINE).unwrap();
        fs::write(
            shelf.dir.path().join(".asynclings/progress.toml"),
            "current = \"wait_03\"\n[exercises.wait_02]\ndone = true\nattempts = 3\nfirst_pass = 7\n",
        )
        .unwrap();
        shelf
    }

    fn file(&self) -> PathBuf {
        let inner = format!("exercises/01_runtime/{FIRST}.rs");
        self.dir.path().join(inner)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn progress(&self) -> String {
        fs::read_to_string(self.dir.path().join(".asynclings/progress.toml")).unwrap()
    }

    fn command(&self, program: &str, args: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.cwd(self.dir.path());
        command
    }

    fn list(&self, size: (u16, u16)) -> Watching {
        let command = self.command(env!("CARGO_BIN_EXE_asynclings"), &["list"]);
        let mut listing = Watching::run(command, size);
        listing.sees("12 exercises, 1 done");
        listing
    }
}

/// How somebody ends it.
type End<'a> = &'a dyn Fn(&mut Watching);

/// What somebody does with it, at any size. Gives back the screens that were seen.
fn walk(shelf: &Shelf, size: (u16, u16)) -> [String; 2] {
    let mut listing = shelf.list(size);
    let first = listing.sees("q back");
    listing.press("f");
    listing.sees("11 of 12 exercises, 1 done · pending");
    listing.press("ass");
    listing.sees("12 exercises, 1 done · by minutes");
    listing.press("t");
    let track = listing.sees("2 of 12 exercises, 1 done · short");
    listing.press("a/lazy");
    listing.sees("find: lazy_");
    listing.press("\r");
    listing.press("h");
    listing.sees("hint 1 of 3: look");
    listing.press("h");
    listing.sees("Think of it.");
    listing.press("q");
    listing.press("x");
    listing.sees("y yes  n no");
    listing.press("n");
    listing.sees("nothing was reset");
    assert_eq!(shelf.text(), MINE);
    listing.press("x");
    listing.sees("y yes  n no");
    listing.press("y");
    listing.sees("is as it was shipped");
    assert_eq!(shelf.text(), shipped());
    listing.press("u");
    listing.sees("is back, as it was before");
    assert_eq!(shelf.text(), MINE);
    listing.look_from_now().resize(70, 12);
    let resized = listing.sees("1 of 12 exercises");
    assert!(resized.lines().count() <= 12, "{resized}");
    listing.press("\r");
    let ended = listing.ends();
    assert_eq!(ended.status, 0, "{}", ended.text);
    assert!(!ended.alternate && !ended.cursor_hidden && !ended.mouse);
    let goes = format!("`{FIRST}` is the current exercise now");
    assert!(ended.text.contains(&goes), "{}", ended.text);
    let progress = shelf.progress();
    assert!(
        progress.contains(&format!("current = \"{FIRST}\"")),
        "{progress}"
    );
    assert!(progress.contains("hints = 2"), "{progress}");
    // The selected row is coloured to its end.
    [first, track].map(|screen| {
        screen
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    })
}

fn shipped() -> String {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inner = format!("exercises/01_runtime/{FIRST}.rs");
    fs::read_to_string(repository.join(inner)).unwrap()
}

#[test]
fn a_walk_on_sixty_columns_and_ten_rows() {
    let [first, track] = walk(&Shelf::new(), (60, 10));
    insta::assert_snapshot!(first, @"
    12 exercises, 1 done
        #   state   name        min title
        1 » skipped lazy_future  29 The one that waits 1 times ▲
        2 ✓ done    wait_02      28 The one that waits 2 times █
    >  *3   open    wait_03      27 The one that waits 3 times ║
        4   open    wait_04      26 The one that waits 4 times ║
        5   open    wait_05      25 The one that waits 5 times ▼
    The one that waits 3 times · you are here · Locks that wait…
    ↑↓ move  Enter go  / find  f state  c chapter  t track
    s sort  a all  h hint  e page  x reset  q back
    ");
    insta::assert_snapshot!(track, @"
    2 of 12 exercises, 1 done · short · by minutes
        #   state   name        min title
        9   open    wait_09      21 The one that waits 9 times
    >  *3   open    wait_03      27 The one that waits 3 times



    The one that waits 3 times · you are here · Locks that wait…
    ↑↓ move  Enter go  / find  f state  c chapter  t track
    s sort  a all  h hint  e page  x reset  q back
    ");
}

#[test]
fn a_walk_on_eighty_columns() {
    let [first, track] = walk(&Shelf::new(), (80, 24));
    insta::assert_snapshot!(first, @"
    12 exercises, 1 done
        #   state   name        min title
        1 » skipped lazy_future  29 The one that waits 1 times
        2 ✓ done    wait_02      28 The one that waits 2 times
    >  *3   open    wait_03      27 The one that waits 3 times
        4   open    wait_04      26 The one that waits 4 times
        5   open    wait_05      25 The one that waits 5 times
        6   open    wait_06      24 The one that waits 6 times
        7   open    wait_07      23 The one that waits 7 times
        8   open    wait_08      22 The one that waits 8 times
        9   open    wait_09      21 The one that waits 9 times
       10   open    wait_10      20 The one that waits 10 times
       11   open    wait_11      19 The one that waits 11 times
       12   open    wait_12      18 The one that waits 12 times







    The one that waits 3 times · you are here · Locks that wait · level 4 of 5 · no…
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint
    e page  x reset  q back
    ");
    insta::assert_snapshot!(track, @"
    2 of 12 exercises, 1 done · short · by minutes
        #   state   name        min title
        9   open    wait_09      21 The one that waits 9 times
    >  *3   open    wait_03      27 The one that waits 3 times

















    The one that waits 3 times · you are here · Locks that wait · level 4 of 5 · no…
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint
    e page  x reset  q back
    ");
}

#[test]
fn a_walk_on_two_hundred_columns() {
    let [first, track] = walk(&Shelf::new(), (200, 50));
    insta::assert_snapshot!(first, @"
    12 exercises, 1 done
        #   state   name        min chapter    level tries hints title
        1 » skipped lazy_future  29 01_runtime     2     0     0 The one that waits 1 times
        2 ✓ done    wait_02      28 02_locks       3     3     0 The one that waits 2 times
    >  *3   open    wait_03      27 02_locks       4     0     0 The one that waits 3 times
        4   open    wait_04      26 02_locks       5     0     0 The one that waits 4 times
        5   open    wait_05      25 02_locks       1     0     0 The one that waits 5 times
        6   open    wait_06      24 02_locks       2     0     0 The one that waits 6 times
        7   open    wait_07      23 02_locks       3     0     0 The one that waits 7 times
        8   open    wait_08      22 02_locks       4     0     0 The one that waits 8 times
        9   open    wait_09      21 02_locks       5     0     0 The one that waits 9 times
       10   open    wait_10      20 02_locks       1     0     0 The one that waits 10 times
       11   open    wait_11      19 02_locks       2     0     0 The one that waits 11 times
       12   open    wait_12      18 02_locks       3     0     0 The one that waits 12 times


































    The one that waits 3 times · you are here · Locks that wait · level 4 of 5 · no tries · no hints
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint  e page  x reset  q back
    ");
    insta::assert_snapshot!(track, @"
    2 of 12 exercises, 1 done · short · by minutes
        #   state   name        min chapter    level tries hints title
        9   open    wait_09      21 02_locks       5     0     0 The one that waits 9 times
    >  *3   open    wait_03      27 02_locks       4     0     0 The one that waits 3 times












































    The one that waits 3 times · you are here · Locks that wait · level 4 of 5 · no tries · no hints
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint  e page  x reset  q back
    ");
}

#[test]
fn a_page_is_read_over_the_table() {
    let shelf = Shelf::new();
    let mut listing = shelf.list((80, 24));
    listing.press("\x1b[H");
    listing.press("e");
    let page = listing.sees("The incident");
    assert!(page.contains("Esc back"), "{page}");
    // Far enough for any page.
    listing.look_from_now().press(&"\x1b[6~".repeat(40));
    let end = listing.sees("The fix follows here");
    assert!(!end.contains("The fix, line by line"), "{end}");
    listing.press("q");
    listing.sees("12 exercises, 1 done");
    // Of one that the book does not know.
    listing.press("\x1b[Fe");
    listing.sees("the book has no page");
}

#[test]
fn the_mouse_selects_goes_and_scrolls() {
    let shelf = Shelf::new();
    let mut listing = shelf.list((60, 10));
    assert!(listing.has_mouse());
    // The wheel, turned towards somebody: twelve exercises are more than there are rows.
    listing.press("\x1b[H\x1b[<65;5;5M");
    listing.sees_that("the fourth on top", |frame| {
        frame
            .lines()
            .nth(2)
            .is_some_and(|row| row.contains("wait_04"))
    });
    listing.press("\x1b[<0;8;4M");
    listing.sees(">   5");
    listing.press("\x1b[<0;8;4M");
    assert_eq!(listing.ends().status, 0);
    assert!(shelf.progress().contains("current = \"wait_05\""));
}

#[test]
fn however_it_ends_the_terminal_is_as_it_was() {
    let signal = |listing: &Watching, signal| {
        let pid = Pid::from_raw(listing.pid().try_into().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    };
    let ends: [(u32, End); 5] = [
        (0, &|listing| listing.press("q")),
        (0, &|listing| listing.press("\x1b")),
        (130, &|listing| listing.press("\x03")),
        (130, &|listing| signal(listing, Signal::INT)),
        (130, &|listing| signal(listing, Signal::TERM)),
    ];
    let fresh = Watching::settings_of_a_new_terminal();
    for (status, end) in ends {
        let shelf = Shelf::new();
        let mut listing = shelf.list((80, 24));
        assert_ne!(listing.settings(), fresh, "raw mode is not on");
        assert_eq!(listing.holds_screen(), (true, true));
        end(&mut listing);
        let ended = listing.ends();
        assert_eq!(ended.status, status, "{}", ended.text);
        assert_eq!(ended.settings, fresh);
        assert!(!ended.alternate && !ended.cursor_hidden && !ended.mouse);
        assert_eq!(ended.text.trim(), "");
    }
}

#[test]
fn ctrl_z_gives_it_back_until_it_is_continued() {
    let shelf = Shelf::new();
    let mut listing = shelf.list((80, 24));
    let raw = listing.settings();
    listing.press("\x1a");
    listing.is_stopped();
    assert_eq!(listing.settings(), Watching::settings_of_a_new_terminal());
    listing.look_from_now();
    let pid = Pid::from_raw(listing.pid().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::CONT).unwrap();
    listing.sees("12 exercises, 1 done");
    assert_eq!(listing.settings(), raw);
    assert!(listing.has_mouse());
}

#[test]
fn a_window_that_is_closed_ends_it() {
    let shelf = Shelf::new();
    let command = shelf.command(env!("CARGO_BIN_EXE_asynclings"), &["list"]);
    watching::close_the_window(command, "12 exercises");
}

#[test]
fn without_colour_not_one_colour_is_sent() {
    let shelf = Shelf::new();
    let mut command = shelf.command(env!("CARGO_BIN_EXE_asynclings"), &["list"]);
    command.env("NO_COLOR", "1");
    let mut listing = Watching::run(command, (80, 24));
    let frame = listing.sees("12 exercises, 1 done");
    assert!(!listing.has_colour());
    for sign in [">  *3", "✓ done", "» skipped"] {
        assert!(frame.contains(sign), "{sign}:\n{frame}");
    }
}

#[test]
fn a_dumb_terminal_gets_the_words_alone() {
    let shelf = Shelf::new();
    let binary = env!("CARGO_BIN_EXE_asynclings");
    let ended = Watching::run(
        shelf.command("env", &["TERM=dumb", binary, "list"]),
        (80, 60),
    )
    .ends();
    assert_eq!(ended.status, 0, "{}", ended.text);
    assert!(ended.text.contains("1 of 12 done"), "{}", ended.text);
}
