//! Standard output and error of a command that is not watch mode.

use std::io::{self, Write};

use crate::core::view::{Look, file_url, typed};
use crate::program;
use crate::terminal;
use crate::workbook::Workbook;

/// As wide as the terminal, up to what reads well; a pipe gets the same words.
pub(super) fn look(workbook: &Workbook) -> Look {
    let links = terminal::has_links()
        .then(|| workbook.root().to_str().map(file_url))
        .flatten();
    Look {
        width: terminal::dimensions().0.min(100),
        colour: terminal::colour(),
        links,
        program: program::name(),
    }
}

/// As wide as the terminal is, without links.
pub(super) fn plain_look() -> Look {
    Look {
        width: terminal::dimensions().0,
        colour: terminal::colour(),
        links: None,
        program: program::name(),
    }
}

/// An error of a reader that went away ends the command quietly: `exit::code` knows it.
pub(super) fn print(lines: impl IntoIterator<Item = String>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    lines
        .into_iter()
        .try_for_each(|line| writeln!(out, "{}", typed(&line, program::name())))
}

pub(super) fn warn(warning: Option<String>) {
    if let Some(warning) = warning {
        // Nothing is left to do where standard error is gone as well.
        let text = format!("warning: {warning}");
        let _ = writeln!(io::stderr(), "{}", typed(&text, program::name()));
    }
}
