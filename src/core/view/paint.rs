//! Colour, links and widths: how a piece of text is dressed. Meaning is always in the words as well.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::core::record::Place;

/// Whether text may carry colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    None,
    /// The sixteen colours that every terminal has, so that the learner's own theme holds.
    Ansi,
}

/// What a view is drawn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Columns.
    pub width: usize,
    pub colour: Colour,
    /// `file://` URL of the workbook's folder, where the terminal understands OSC 8 links.
    pub links: Option<String>,
    /// What is typed to start this program.
    pub program: &'static str,
}

/// Text that names commands of ours as `asynclings hint`, with what the reader has to type instead.
pub fn typed<'t>(text: &'t str, program: &str) -> Cow<'t, str> {
    if program == "asynclings" || !text.contains("`asynclings") {
        return Cow::Borrowed(text);
    }
    let alone = program.trim_end_matches(" --").replace(" -q", "");
    let text = text.replace("`asynclings`", &format!("`{alone}`"));
    Cow::Owned(text.replace("`asynclings ", &format!("`{program} ")))
}

/// What a piece of text is for; the colour follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    Note,
    Quiet,
    Strong,
    /// In code.
    Keyword,
    Literal,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green.on_default().bold(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Note => AnsiColor::Cyan.on_default(),
            Tone::Quiet => Style::new().dimmed(),
            Tone::Strong => Style::new().bold(),
            Tone::Keyword => AnsiColor::Magenta.on_default(),
            Tone::Literal => AnsiColor::Green.on_default(),
        }
    }
}

impl Look {
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        match self.colour {
            Colour::Ansi if !text.is_empty() => {
                let style = tone.style();
                format!("{style}{text}{style:#}")
            }
            _ => text.to_owned(),
        }
    }

    /// `exercises/04_locks/x.rs:12:9`, clickable.
    pub fn place(&self, place: &Place) -> String {
        let text = match place.column {
            Some(column) => format!("{}:{}:{column}", place.file, place.line),
            None => format!("{}:{}", place.file, place.line),
        };
        self.link(&place.file, &text)
    }

    pub fn link(&self, file: &str, text: &str) -> String {
        match &self.links {
            Some(root) => format!("\x1b]8;;{root}/{}\x1b\\{text}\x1b]8;;\x1b\\", percent(file)),
            None => text.to_owned(),
        }
    }

    /// Wrapped to the width, every line after `indent`.
    pub fn wrap(&self, text: &str, first: &str, rest: &str) -> Vec<String> {
        let options = textwrap::Options::new(self.width.max(20))
            .initial_indent(first)
            .subsequent_indent(rest);
        let lines = textwrap::wrap(&unbreakable(&typed(text, self.program)), options)
            .into_iter()
            .map(Cow::into_owned)
            .collect::<Vec<_>>();
        lines
            .into_iter()
            .map(|line| line.replace('\u{a0}', " "))
            .collect()
    }

    /// Text of another program, with its colours only where colours are wanted.
    pub fn foreign<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.colour {
            Colour::Ansi => Cow::Borrowed(text),
            Colour::None => Cow::Owned(plain(text)),
        }
    }
}

/// A command between backticks stays on one line: it is there to be copied.
fn unbreakable(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(n, part)| {
        if n % 2 == 1 {
            part.replace(' ', "\u{a0}")
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Without escape sequences.
pub(super) fn plain(text: &str) -> String {
    strip_ansi_escapes::strip_str(text)
}

/// Fit to be shown: no escape sequence, tabs as four columns, other control characters visible.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push_str("    "),
            c if c.is_control() => shown.push('\u{fffd}'),
            c => shown.push(c),
        }
    }
    shown
}

/// A line of another program, fit to be shown: without its colours, and with nothing that moves the cursor.
pub fn legible(line: &str) -> String {
    shown(&plain(line))
}

/// Columns that text takes, tabs as `shown` writes them.
pub(super) fn columns(text: &str) -> usize {
    shown(text).width()
}

/// Of an absolute path, also a Windows one: `file:///C%3A/work`.
pub fn file_url(path: &str) -> String {
    let path = percent(path);
    format!(
        "file://{}{path}",
        if path.starts_with('/') { "" } else { "/" }
    )
}

/// A URL path: everything but the unreserved characters and `/` is escaped.
pub(super) fn percent(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                url.push(byte.into())
            }
            b'\\' => url.push('/'),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_escapes_what_a_url_cannot_hold() {
        let look = Look {
            width: 60,
            colour: Colour::None,
            links: Some("file:///home/a%20b".into()),
            program: "asynclings",
        };
        let link = look.link("exercises/ä.rs", "here");
        assert_eq!(
            link,
            "\x1b]8;;file:///home/a%20b/exercises/%C3%A4.rs\x1b\\here\x1b]8;;\x1b\\"
        );
    }

    #[test]
    fn a_command_is_named_as_it_has_to_be_typed() {
        let text = "`asynclings` goes on, `asynclings hint x` helps; asynclings is a workbook";
        assert_eq!(typed(text, "asynclings"), text);
        assert_eq!(
            typed(text, "cargo run -q --"),
            "`cargo run` goes on, `cargo run -q -- hint x` helps; asynclings is a workbook"
        );
    }

    #[test]
    fn an_escape_sequence_in_a_learners_line_is_shown_not_obeyed() {
        assert_eq!(shown("a\x1b[2Jb\tc"), "a\u{fffd}[2Jb    c");
    }
}
