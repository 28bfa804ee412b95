//! How watch mode shows itself: a screen that is drawn anew, or lines that are only added.

use std::io::{Write, stdout};

use anyhow::{Context, Result};

use crate::core::session::Session;
use crate::core::view::{Colour, Look, Teller, draw};
use crate::program;
use crate::terminal::{self, Terminal};

pub(super) enum Face {
    Screen(Terminal),
    Lines(Teller),
}

impl Face {
    pub(super) fn screen() -> Result<Self> {
        let terminal = Terminal::enter().context(
            "cannot use this terminal; `asynclings --plain` or `asynclings run` does without",
        )?;
        Ok(Self::Screen(terminal))
    }

    pub(super) fn lines() -> Self {
        Self::Lines(Teller::default())
    }

    /// `links`: the workbook's folder as a URL.
    pub(super) fn look(&self, links: String) -> Look {
        let width = terminal::dimensions().0;
        match self {
            Self::Screen(_) => Look {
                width,
                colour: terminal::colour(),
                links: terminal::has_links().then_some(links),
                program: program::name(),
            },
            Self::Lines(_) => Look {
                width: width.min(100),
                colour: Colour::None,
                links: None,
                program: program::name(),
            },
        }
    }

    pub(super) fn show(&mut self, session: &mut Session, look: &mut Look) -> Result<()> {
        match self {
            Self::Screen(terminal) => {
                look.width = session.size().0;
                let drawn = draw(session, look);
                session.clamp_scroll(drawn.most);
                terminal
                    .listen_to_mouse(session.takes_the_mouse())
                    .and_then(|()| terminal.draw(&drawn.rows))
            }
            Self::Lines(teller) => {
                let mut lines = teller.tell(session, look).join("\n");
                if !lines.is_empty() {
                    lines.push('\n');
                }
                let mut out = stdout().lock();
                out.write_all(lines.as_bytes()).and_then(|()| out.flush())
            }
        }
        .context("cannot write to the terminal")
    }

    pub(super) fn forget(&mut self) -> Result<()> {
        match self {
            Self::Screen(terminal) => Ok(terminal.forget()?),
            Self::Lines(_) => Ok(()),
        }
    }

    pub(super) fn lend(&mut self, words: &str) -> Result<()> {
        match self {
            Self::Screen(terminal) => Ok(terminal.lend(words)?),
            Self::Lines(_) => Ok(()),
        }
    }

    pub(super) fn suspend(&mut self) {
        match self {
            Self::Screen(terminal) => terminal.suspend(),
            Self::Lines(_) => terminal::stop(),
        }
    }

    pub(super) fn resume(&mut self) -> Result<()> {
        match self {
            Self::Screen(terminal) => Ok(terminal.resume()?),
            Self::Lines(_) => Ok(()),
        }
    }
}
