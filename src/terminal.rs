//! The terminal: raw mode and its undoing, size, drawing.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, MoveTo, MoveToColumn, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, DisableLineWrap, EnableLineWrap,
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{execute, queue};

use crate::core::view::Colour;

/// Whether the terminal is ours at the moment, so that giving it back twice does no harm.
static HELD: AtomicBool = AtomicBool::new(false);
/// Whether clicks come to us.
static MOUSE: AtomicBool = AtomicBool::new(false);
static PANIC_HOOK: Once = Once::new();

/// The terminal, held for full-screen drawing. Dropping it gives it back as it was.
///
/// It draws on the alternate screen: what stood in the terminal before, and its scrollback, stay untouched and are
/// there again after quitting. A verdict longer than the screen is scrolled by keys.
#[derive(Debug)]
pub struct Terminal {
    /// The rows that are on the screen.
    drawn: Vec<String>,
    /// Another program has it, and a line of ours stands there.
    lent: bool,
}

impl Terminal {
    /// # Errors
    /// Where there is no terminal, or it cannot be set to raw mode.
    pub fn enter() -> io::Result<Self> {
        PANIC_HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                // First the terminal, or the report is lost with the alternate screen.
                give_back();
                report(panic);
            }));
        });
        take()?;
        Ok(Self {
            drawn: Vec::new(),
            lent: false,
        })
    }

    /// Draws a frame: only the rows that changed, as one update, so that nothing flickers. While the terminal is
    /// somebody else's it draws nothing.
    pub fn draw(&mut self, rows: &[String]) -> io::Result<()> {
        if !HELD.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut frame = Vec::new();
        queue!(frame, BeginSynchronizedUpdate)?;
        for (at, row) in rows.iter().enumerate() {
            if self.drawn.get(at) != Some(row) {
                // Cleared first: after a row that fills the line it would take the last column away.
                let line = u16::try_from(at).unwrap_or(u16::MAX);
                queue!(
                    frame,
                    MoveTo(0, line),
                    ResetColor,
                    Clear(ClearType::UntilNewLine)
                )?;
                frame.extend_from_slice(row.as_bytes());
            }
        }
        if rows.len() < self.drawn.len() {
            let line = u16::try_from(rows.len()).unwrap_or(u16::MAX);
            queue!(
                frame,
                MoveTo(0, line),
                ResetColor,
                Clear(ClearType::FromCursorDown)
            )?;
        }
        queue!(frame, ResetColor, EndSynchronizedUpdate)?;
        self.drawn = rows.to_vec();
        // One short write to a terminal; there is nothing useful to do while it cannot take it.
        let mut out = io::stdout().lock();
        out.write_all(&frame)?;
        out.flush()
    }

    /// The next frame is drawn whole: something else wrote here, or the size is another.
    pub fn forget(&mut self) -> io::Result<()> {
        self.drawn.clear();
        if !HELD.load(Ordering::SeqCst) {
            return Ok(());
        }
        execute!(io::stdout(), ResetColor, Clear(ClearType::All))
    }

    /// Whether clicks and the wheel come to us. Where they do not, the terminal selects text with them, as everywhere.
    pub fn listen_to_mouse(&mut self, listen: bool) -> io::Result<()> {
        match (listen, MOUSE.swap(listen, Ordering::SeqCst)) {
            (true, false) => execute!(io::stdout(), EnableMouseCapture),
            (false, true) => execute!(io::stdout(), DisableMouseCapture),
            _ => Ok(()),
        }
    }

    /// Gives the terminal back and stops the process group, as Ctrl-Z would have without raw mode; SIGCONT is what
    /// goes on, see `resume`. Does nothing where processes cannot be stopped.
    pub fn suspend(&mut self) {
        #[cfg(unix)]
        {
            give_back();
            stop();
        }
    }

    /// Gives the terminal to another program, until `resume`. Whoever looks at it before that program draws reads `words`.
    pub fn lend(&mut self, words: &str) -> io::Result<()> {
        give_back();
        let mut out = io::stdout().lock();
        // No line feed: the line is taken back, and scrollback stays as it was.
        write!(out, "{words}")?;
        out.flush()?;
        self.lent = true;
        Ok(())
    }

    /// Takes the terminal again, in whatever state somebody left it.
    pub fn resume(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.lent) {
            execute!(io::stdout(), MoveToColumn(0), Clear(ClearType::CurrentLine))?;
        }
        // Else crossterm believes that raw mode still holds.
        disable_raw_mode()?;
        take()?;
        self.forget()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Stops the process group, where processes can be stopped.
pub fn stop() {
    // SIGSTOP and not SIGTSTP, which is what woke us. An error leaves us running, and that shows.
    #[cfg(unix)]
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    HELD.store(true, Ordering::SeqCst);
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        DisableLineWrap,
        Hide,
        Clear(ClearType::All)
    )
}

fn give_back() {
    if HELD.swap(false, Ordering::SeqCst) {
        // Each by itself: where one fails the other may still help.
        if MOUSE.swap(false, Ordering::SeqCst) {
            let _ = execute!(io::stdout(), DisableMouseCapture);
        }
        let _ = execute!(
            io::stdout(),
            ResetColor,
            EnableLineWrap,
            Show,
            LeaveAlternateScreen
        );
        let _ = disable_raw_mode();
    }
}

/// Whether somebody sits here: a screen can be shown, or lines where the terminal is dumb, and keys read.
pub fn is_usable() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Columns and rows.
pub fn dimensions() -> (usize, usize) {
    // Some pseudo-terminals have no size until somebody asks for one.
    match size() {
        Ok((columns @ 1.., rows @ 1..)) => (columns.into(), rows.into()),
        _ => (80, 24),
    }
}

/// Whether standard output may carry colour. See https://no-color.org.
pub fn colour() -> Colour {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if refused || is_dumb() || !io::stdout().is_terminal() {
        Colour::None
    } else {
        Colour::Ansi
    }
}

/// Whether the terminal is known to understand OSC 8. Nothing that reads a pipe does, whatever the environment says.
pub fn has_links() -> bool {
    io::stdout().is_terminal()
        && !is_dumb()
        && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout)
}

/// Whether it can do no more than add lines.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
