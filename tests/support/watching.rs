//! The real binary in a real pseudo-terminal, with a model of its screen. Nothing here sleeps to wait: it waits for
//! what the screen must show.
#![allow(dead_code, reason = "each test binary uses its share")]
#![allow(
    clippy::disallowed_methods,
    reason = "tests start processes and write fixtures"
)]

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, Once};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtyPair, PtySize, native_pty_system};
use tempfile::TempDir;

/// Generous: the machine may be busy.
const LIMIT: Duration = Duration::from_secs(120);
/// Ends every frame that the runner draws.
const END_OF_FRAME: &[u8] = b"\x1b[?2026l";

pub const RIGHT: &str =
    "pub async fn serve(order: u64) -> u64 {\n    order + 1\n}\n\nfn main() {}\n";
pub const WRONG: &str = "pub async fn serve(order: u64) -> u64 {\n    order\n}\n\nfn main() {}\n";
pub const HANGS: &str = "pub async fn serve(order: u64) -> u64 {\n    tokio::sync::Notify::new().notified().await;\n    order\n}\n\nfn main() {}\n";
/// Takes seconds until it is called a hang: time to do something else meanwhile.
pub const SPINS: &str = "pub async fn serve(order: u64) -> u64 {\n    let mut turns = order;\n    loop {\n        turns = std::hint::black_box(turns.wrapping_add(1));\n    }\n}\n\nfn main() {}\n";

/// A workbook with two exercises, `first` and `second`, of the same contract.
pub struct Book {
    dir: TempDir,
}

impl Book {
    /// `text` is that of both exercises.
    pub fn new(text: &str) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("asynclings-")
            .tempdir()
            .unwrap();
        let book = Self { dir };
        let mut info =
            "format_version = 1\n\n[[chapters]]\nid = \"01_test\"\ntitle = \"Test\"\n".to_owned();
        for name in ["first", "second"] {
            info.push_str(&format!(
                "\n[[exercises]]\nname = \"{name}\"\nchapter = \"01_test\"\ntitle = \"The {name} one\"\nminutes = 1\n\
                 difficulty = 1\nstarts_as = {{ verdict = \"check_failed\", check = \"an_order_gets_the_next_number\" }}\n\
                 hints = [\"Look there.\", \"Think of it.\", \"Do this.\"]\nsources = [\"none\"]\n"
            ));
            book.put(&format!("exercises/01_test/{name}.rs"), text);
            book.put(&format!("solutions/01_test/{name}.rs"), RIGHT);
            book.put(
                &format!("checks/01_test/{name}.rs"),
                "use crate::exercise::serve;\n\n#[test]\nfn an_order_gets_the_next_number() {\n    lab::paused(|| async {\n        \
                 lab::expect_eq(serve(20).await, 21, \"the number of the order\");\n    });\n}\n",
            );
        }
        book.put("info.toml", &info);
        book
    }

    /// What `init` writes.
    pub fn shipped() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("asynclings-")
            .tempdir()
            .unwrap();
        let mut init = std::process::Command::new(env!("CARGO_BIN_EXE_asynclings"));
        let output = init
            .arg("init")
            .arg(dir.path().join("book"))
            .env("ASYNCLINGS_CACHE", cache())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Self { dir }
    }

    pub fn root(&self) -> PathBuf {
        let shipped = self.dir.path().join("book");
        if shipped.is_dir() {
            shipped
        } else {
            self.dir.path().to_owned()
        }
    }

    /// With a commit of its files, from which a reset takes them.
    pub fn committed(text: &str) -> Self {
        let book = Self::new(text);
        for words in [
            &["init", "-q"][..],
            &["add", "-A"],
            &[
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "commit",
                "-qm",
                "t",
            ],
        ] {
            let mut git = std::process::Command::new("git");
            let status = git.current_dir(book.root()).args(words).status();
            assert!(status.unwrap().success(), "git {words:?}");
        }
        book
    }

    /// A program in place of an editor: a shell script of this name, beside the workbook's files.
    pub fn editor(&self, name: &str, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        self.put(name, &format!("#!/bin/sh\n{script}\n"));
        let path = self.root().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn exercise(&self, name: &str) -> PathBuf {
        self.root().join(format!("exercises/01_test/{name}.rs"))
    }

    /// Saves in place, by truncating and writing.
    pub fn save(&self, name: &str, text: &str) {
        fs::write(self.exercise(name), text).unwrap();
    }

    pub fn progress(&self) -> String {
        fs::read_to_string(self.root().join(".asynclings/progress.toml")).unwrap_or_default()
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

struct Screen {
    parser: vt100::Parser,
    /// Every frame, so that what was shown for a moment only is not missed.
    frames: Vec<String>,
    /// What came after the last whole frame.
    rest: Vec<u8>,
    /// How much of that was looked at.
    heard: usize,
    closed: bool,
}

impl Screen {
    fn feed(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        while let Some(at) = self
            .rest
            .windows(END_OF_FRAME.len())
            .position(|window| window == END_OF_FRAME)
        {
            self.heard = 0;
            let frame: Vec<u8> = self.rest.drain(..at + END_OF_FRAME.len()).collect();
            self.parser.process(&frame);
            self.frames.push(self.parser.screen().contents());
        }
    }

    /// At the end, what is left is no frame but the last words.
    fn close(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.parser.process(&rest);
        self.frames.push(self.parser.screen().contents());
        self.closed = true;
    }
}

pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// It may take minutes, which is nothing to wait for in front of a screen.
fn prepare_the_lab() {
    static READY: Once = Once::new();
    READY.call_once(|| {
        let book = Book::new(RIGHT);
        let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_asynclings"));
        let run = run
            .args(["run", "first"])
            .current_dir(book.root())
            .env("ASYNCLINGS_CACHE", cache());
        let output = run.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    });
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// Watch mode, running.
pub struct Watching {
    screen: Arc<(Mutex<Screen>, Condvar)>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    terminal: PtyPair,
    /// Frames before this one are not looked at again.
    seen: usize,
}

impl Watching {
    pub fn start(book: &Book) -> Self {
        Self::start_with(book, (100, 40), &[])
    }

    pub fn start_with(book: &Book, size: (u16, u16), environment: &[(&str, &str)]) -> Self {
        prepare_the_lab();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_asynclings"));
        command.cwd(book.root());
        Self::run_with(command, size, environment)
    }

    /// In a terminal that can do no more than add lines.
    pub fn start_dumb(book: &Book, environment: &[(&str, &str)]) -> Self {
        let environment = [&[("TERM", "dumb")], environment].concat();
        Self::start_with(book, (100, 40), &environment)
    }

    /// Any program, in a terminal.
    pub fn run(command: CommandBuilder, size: (u16, u16)) -> Self {
        Self::run_with(command, size, &[])
    }

    fn run_with(
        mut command: CommandBuilder,
        (columns, rows): (u16, u16),
        environment: &[(&str, &str)],
    ) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let terminal = native_pty_system().openpty(size).unwrap();
        command.env("ASYNCLINGS_CACHE", cache());
        command.env("TERM", "xterm-256color");
        command.env_remove("VISUAL");
        command.env_remove("EDITOR");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = terminal.slave.spawn_command(command).unwrap();
        let screen = Arc::new((
            Mutex::new(Screen {
                parser: vt100::Parser::new(cells(rows), cells(columns), 100),
                frames: Vec::new(),
                rest: Vec::new(),
                heard: 0,
                closed: false,
            }),
            Condvar::new(),
        ));
        let mut output = terminal.master.try_clone_reader().unwrap();
        std::thread::spawn({
            let screen = screen.clone();
            move || {
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = output.read(&mut bytes) {
                    screen.0.lock().unwrap().feed(&bytes[..n]);
                    screen.1.notify_all();
                }
                screen.0.lock().unwrap().close();
                screen.1.notify_all();
            }
        });
        let keyboard = terminal.master.take_writer().unwrap();
        Self {
            screen,
            keyboard,
            child,
            terminal,
            seen: 0,
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Waits for a frame with this text, later than the last one that was waited for.
    pub fn sees(&mut self, text: &str) -> String {
        self.sees_that(text, |frame| frame.contains(text))
    }

    pub fn sees_that(&mut self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + LIMIT;
        let (screen, changed) = &*self.screen;
        let mut screen = screen.lock().unwrap();
        loop {
            if let Some(at) = screen.frames[self.seen..]
                .iter()
                .position(|frame| holds(frame))
            {
                self.seen += at;
                return screen.frames[self.seen].clone();
            }
            let left = until.saturating_duration_since(Instant::now());
            let last = screen.frames.last().cloned().unwrap_or_default();
            assert!(
                !left.is_zero() && !screen.closed,
                "never saw {what}; the screen is:\n{last}"
            );
            screen = changed.wait_timeout(screen, left).unwrap().0;
        }
    }

    /// Waits for this text outside of frames, later than what was waited for before: lines, and what an editor writes.
    /// Gives back what came up to there.
    pub fn hears(&mut self, text: &str) -> String {
        let until = Instant::now() + LIMIT;
        let (screen, changed) = &*self.screen;
        let mut screen = screen.lock().unwrap();
        loop {
            let new = String::from_utf8_lossy(&screen.rest[screen.heard..]).into_owned();
            if let Some(at) = new.find(text) {
                let said = &new[..at + text.len()];
                screen.heard += said.len();
                return said.to_owned();
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !screen.closed,
                "never heard {text}; there is:\n{new}"
            );
            screen = changed.wait_timeout(screen, left).unwrap().0;
        }
    }

    /// Everything that came outside of frames since the last one.
    pub fn unframed(&self) -> String {
        String::from_utf8_lossy(&self.screen.0.lock().unwrap().rest).into_owned()
    }

    /// What is shown from now on; frames before are not looked at again.
    pub fn look_from_now(&mut self) -> &mut Self {
        self.seen = self.screen.0.lock().unwrap().frames.len();
        self
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.screen
            .0
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        self.terminal.master.resize(size).unwrap();
    }

    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// The terminal's settings: raw mode and echo show in them.
    pub fn settings(&self) -> String {
        format!("{:?}", self.terminal.master.get_termios().unwrap())
    }

    /// Those of a terminal that nobody has touched.
    pub fn settings_of_a_new_terminal() -> String {
        let terminal = native_pty_system().openpty(PtySize::default()).unwrap();
        format!("{:?}", terminal.master.get_termios().unwrap())
    }

    /// Waits until the process is stopped, as Ctrl-Z does it.
    pub fn is_stopped(&self) {
        use rustix::process::{Pid, WaitOptions, waitpid};
        let pid = Pid::from_raw(self.pid().try_into().unwrap());
        let status = waitpid(pid, WaitOptions::UNTRACED).unwrap();
        assert!(
            status.is_some_and(|(_, status)| status.stopped()),
            "it did not stop"
        );
    }

    pub fn has_colour(&self) -> bool {
        let screen = self.screen.0.lock().unwrap();
        let model = screen.parser.screen();
        let (rows, columns) = model.size();
        let (rows, columns) = (rows.get(), columns.get());
        let mut all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        all.any(|(row, column)| {
            model
                .cell(row, column)
                .is_some_and(|cell| cell.fgcolor() != vt100::Color::Default)
        })
    }

    /// Whether full-screen drawing is on, and whether the cursor is hidden.
    pub fn holds_screen(&self) -> (bool, bool) {
        let screen = self.screen.0.lock().unwrap();
        (
            screen.parser.screen().alternate_screen(),
            screen.parser.screen().hide_cursor(),
        )
    }

    /// Whether clicks are sent to the program.
    pub fn has_mouse(&self) -> bool {
        let screen = self.screen.0.lock().unwrap();
        screen.parser.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    }

    /// Waits for the process's end: its exit status, the terminal's settings, and what is left on the screen.
    pub fn ends(mut self) -> Ended {
        let status = self.child.wait().unwrap().exit_code();
        let settings = self.settings();
        // The last to hold the other side: what was written is read, then comes the end.
        drop(self.terminal.slave);
        let (screen, changed) = &*self.screen;
        let mut screen = screen.lock().unwrap();
        while !screen.closed {
            screen = changed.wait(screen).unwrap();
        }
        let model = screen.parser.screen();
        Ended {
            status,
            settings,
            text: model.contents(),
            alternate: model.alternate_screen(),
            cursor_hidden: model.hide_cursor(),
            mouse: model.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
        }
    }
}

/// Starts watch mode, closes the window once `text` is on the screen, and waits for the process's end.
pub fn close_the_window_at(book: &Book, text: &str) {
    prepare_the_lab();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_asynclings"));
    command.cwd(book.root());
    close_the_window(command, text);
}

/// The same of any program.
pub fn close_the_window(mut command: CommandBuilder, text: &str) {
    let terminal = native_pty_system()
        .openpty(PtySize {
            rows: 40,
            cols: 100,
            ..PtySize::default()
        })
        .unwrap();
    command.env("ASYNCLINGS_CACHE", cache());
    command.env("TERM", "xterm-256color");
    let mut child = terminal.slave.spawn_command(command).unwrap();
    // Nobody else may hold the other side: a reader on a thread would keep the window open.
    let mut output = terminal.master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    let mut bytes = [0; 4096];
    while !String::from_utf8_lossy(&seen).contains(text) {
        let n = output.read(&mut bytes).unwrap();
        seen.extend_from_slice(&bytes[..n]);
    }
    drop((output, terminal));
    child.wait().unwrap();
}

pub struct Ended {
    pub status: u32,
    pub settings: String,
    pub text: String,
    pub alternate: bool,
    pub cursor_hidden: bool,
    pub mouse: bool,
}
