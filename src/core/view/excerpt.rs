//! Source lines quoted and marked, as rustc does it.

use unicode_width::UnicodeWidthChar;

use super::paint::{Look, Tone, columns, shown};
use crate::core::record::Place;

/// A place and what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) place: Place,
    pub(super) note: String,
}

/// Quotes the lines of `source` that the marks name, in the order of the file. The first mark is the main one: its
/// place heads the excerpt.
pub(super) fn excerpt(marks: &[Mark], source: &str, look: &Look) -> Vec<String> {
    let Some(main) = marks.first() else {
        return Vec::new();
    };
    let lines: Vec<&str> = source.lines().collect();
    let mut marks: Vec<&Mark> = marks.iter().collect();
    marks.sort_by_key(|mark| (mark.place.line, mark.place.column));
    let digits = marks
        .last()
        .map_or(1, |mark| mark.place.line.to_string().len());
    let gutter = Gutter { digits, look };

    let arrow = look.paint(Tone::Note, "-->");
    let mut text = vec![
        format!("{:digits$}{arrow} {}", "", look.place(&main.place)),
        gutter.empty(),
    ];
    let mut last: Option<u32> = None;
    for mark in marks {
        let line = mark.place.line;
        if last != Some(line) {
            text.extend(last.and_then(|last| gutter.between(last, line, &lines)));
            text.extend(
                quoted(line, &lines)
                    .map(|code| gutter.numbered(line, &window(code, mark, &gutter).0)),
            );
        }
        text.extend(marked(
            mark,
            &lines,
            &gutter,
            std::ptr::eq(mark, main) || mark.place == main.place,
        ));
        last = Some(line);
    }
    text
}

fn quoted<'s>(line: u32, lines: &[&'s str]) -> Option<&'s str> {
    lines.get((line as usize).checked_sub(1)?).copied()
}

/// The carets and the note under one line.
fn marked(mark: &Mark, lines: &[&str], gutter: &Gutter, main: bool) -> Vec<String> {
    let Some(code) = quoted(mark.place.line, lines) else {
        let gone = format!(
            "line {} of a file that now has {}: it was changed since",
            mark.place.line,
            lines.len()
        );
        let note = if mark.note.is_empty() {
            gone
        } else {
            format!("{} ({gone})", mark.note)
        };
        return gutter.noted("", &note);
    };
    let (_, start, width) = window(code, mark, gutter);
    let (sign, tone) = if main {
        ("^", Tone::Bad)
    } else {
        ("-", Tone::Note)
    };
    let carets = gutter.look.paint(tone, &sign.repeat(width));
    let room = gutter.room();
    if start + width + 1 + columns(&mark.note) <= room {
        return vec![
            gutter.line(format!("{}{carets} {}", " ".repeat(start), mark.note).trim_end()),
        ];
    }
    let mut text = vec![gutter.line(&format!("{}{carets}", " ".repeat(start)))];
    text.extend(gutter.noted(&" ".repeat(start.min(room / 3)), &mark.note));
    text
}

/// The part of a line that fits, and where in it the mark stands: (text, start column, columns).
fn window(code: &str, mark: &Mark, gutter: &Gutter) -> (String, usize, usize) {
    let code = code.trim_end();
    let (from, to) = span(code, &mark.place);
    let start = columns(&code[..from]);
    let width = columns(&code[from..to]).max(1);
    let line = shown(code);
    let room = gutter.room();
    if columns(code) <= room {
        return (line, start, width);
    }
    // A third of the room before the mark, the rest for it and what follows; one column for each ellipsis.
    let skip = if start + width < room {
        0
    } else {
        start.saturating_sub(room / 3)
    };
    let head = usize::from(skip > 0);
    let (cut, skipped) = slice(&line, skip, room - head - 1);
    let ends = columns(code) <= skipped + columns(&cut);
    let text = format!(
        "{}{cut}{}",
        if head == 1 { "…" } else { "" },
        if ends { "" } else { "…" }
    );
    let start = (start - skipped.min(start)) + head;
    (
        text,
        start,
        width.min(room.saturating_sub(start + 1).max(1)),
    )
}

/// From display column `skip`, at most `room` columns; also how many columns were skipped (a wide character is never
/// halved).
fn slice(line: &str, skip: usize, room: usize) -> (String, usize) {
    let (mut at, mut skipped, mut used) = (0, 0, 0);
    let mut cut = String::new();
    for c in line.chars() {
        let wide = c.width().unwrap_or(0);
        if at < skip {
            skipped += wide;
        } else if used + wide <= room {
            cut.push(c);
            used += wide;
        } else {
            break;
        }
        at += wide;
    }
    (cut, skipped)
}

/// The bytes of the line that a place means: the word at its column, else the word it names, else the code.
fn span(code: &str, place: &Place) -> (usize, usize) {
    let indent = code.len() - code.trim_start().len();
    if let Some(column) = place.column {
        // Debug info counts bytes.
        let mut from = (column as usize).saturating_sub(1).min(code.len());
        while !code.is_char_boundary(from) {
            from -= 1;
        }
        return (from.max(indent), word_end(code, from.max(indent)));
    }
    let called = place.what.rsplit("::").next().unwrap_or_default();
    if let Some(from) = called_in(code, called) {
        return (from, from + called.len());
    }
    let end = code
        .find("//")
        .filter(|at| *at > indent)
        .unwrap_or(code.len());
    (indent, code[..end].trim_end().len().max(indent))
}

fn called_in(code: &str, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    code.match_indices(name).map(|(at, _)| at).find(|&at| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

fn word_end(code: &str, from: usize) -> usize {
    let word: usize = code[from..]
        .chars()
        .take_while(|c| in_word(*c))
        .map(char::len_utf8)
        .sum();
    let one = code[from..].chars().next().map_or(0, char::len_utf8);
    from + word.max(one)
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The column of line numbers.
struct Gutter<'l> {
    digits: usize,
    look: &'l Look,
}

impl Gutter<'_> {
    /// Columns to the right of the gutter.
    fn room(&self) -> usize {
        self.look.width.saturating_sub(self.digits + 3).max(20)
    }

    fn bar(&self) -> String {
        self.look.paint(Tone::Note, "|")
    }

    fn empty(&self) -> String {
        format!("{:1$} {2}", "", self.digits, self.bar())
    }

    fn line(&self, text: &str) -> String {
        format!("{} {text}", self.empty())
    }

    fn numbered(&self, line: u32, code: &str) -> String {
        let digits = self.digits;
        let number = self.look.paint(Tone::Note, &format!("{line:>digits$}"));
        format!("{number} {} {code}", self.bar())
            .trim_end()
            .to_owned()
    }

    fn noted(&self, indent: &str, note: &str) -> Vec<String> {
        let room = self.room().saturating_sub(indent.len()).max(20);
        textwrap::wrap(note, room)
            .iter()
            .map(|part| self.line(&format!("{indent}{part}")))
            .collect()
    }

    /// What stands between two quoted lines: nothing, the one line between, or an ellipsis.
    fn between(&self, last: u32, next: u32, lines: &[&str]) -> Option<String> {
        match next - last {
            0 | 1 => None,
            2 => quoted(last + 1, lines).map(|code| {
                let (cut, _) = slice(&shown(code.trim_end()), 0, self.room());
                self.numbered(last + 1, &cut)
            }),
            _ => Some(self.look.paint(Tone::Note, "...")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::view::Colour;

    fn look(width: usize) -> Look {
        Look {
            width,
            colour: Colour::None,
            links: None,
            program: "asynclings",
        }
    }

    fn mark(line: u32, column: Option<u32>, what: &str, note: &str) -> Mark {
        let place = Place {
            file: "exercises/04_locks/x.rs".into(),
            line,
            column,
            what: what.into(),
        };
        Mark {
            place,
            note: note.into(),
        }
    }

    fn show(marks: &[Mark], source: &str, width: usize) -> String {
        let text = excerpt(marks, source, &look(width));
        for line in &text {
            assert!(columns(line) <= width, "too wide: {line}");
        }
        text.join("\n")
    }

    #[test]
    fn places_are_quoted_in_the_order_of_the_file_and_the_first_heads_them() {
        let source = "fn a() {\n    one.lock().await;\n    // between\n    two.lock().await;\n}\n\nfn b() {\n    c()\n}\n";
        let marks = [
            mark(4, Some(9), "Mutex::lock", "waits here"),
            mark(2, None, "Mutex::lock", "taken here"),
            mark(8, None, "", "called here"),
        ];
        insta::assert_snapshot!(show(&marks, source, 60), @"
         --> exercises/04_locks/x.rs:4:9
          |
        2 |     one.lock().await;
          |         ---- taken here
        3 |     // between
        4 |     two.lock().await;
          |         ^^^^ waits here
        ...
        8 |     c()
          |     --- called here
        ");
    }

    #[test]
    fn tabs_wide_characters_and_windows_line_ends_keep_the_mark_under_the_word() {
        let source = "fn a() {\r\n\tlet 店 = shop.lock().await;\r\n}\r\n";
        insta::assert_snapshot!(show(&[mark(2, None, "Mutex::lock", "waits")], source, 60), @"
         --> exercises/04_locks/x.rs:2
          |
        2 |     let 店 = shop.lock().await;
          |                   ^^^^ waits
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let source = format!(
            "    let x = f({}).lock().await; // {}",
            "argument, ".repeat(20),
            "more ".repeat(20)
        );
        insta::assert_snapshot!(show(&[mark(1, None, "Mutex::lock", "waits here for a lock")], &source, 60), @"
         --> exercises/04_locks/x.rs:1
          |
        1 | …ment, argument, ).lock().await; // more more more more…
          |                    ^^^^ waits here for a lock
        ");
    }

    #[test]
    fn a_note_that_does_not_fit_beside_the_mark_goes_below_it() {
        let source = "                            let balance = accounts.lock().await;";
        let note =
            "waits here, and the guard that it waits for is held by the same task, further up";
        insta::assert_snapshot!(show(&[mark(1, None, "Mutex::lock", note)], source, 60), @"
         --> exercises/04_locks/x.rs:1
          |
        1 |                             let balance = accounts.lock…
          |                                                    ^^^^
          |                   waits here, and the guard that it
          |                   waits for is held by the same task,
          |                   further up
        ");
    }

    #[test]
    fn a_line_that_the_file_no_longer_has_is_said_so() {
        insta::assert_snapshot!(show(&[mark(40, Some(3), "", "waits here")], "fn main() {}\n", 60), @"
        --> exercises/04_locks/x.rs:40:3
         |
         | waits here (line 40 of a file that now has 1: it was
         | changed since)
        ");
        insta::assert_snapshot!(show(&[mark(1, Some(3), "", "waits here")], "", 60), @"
        --> exercises/04_locks/x.rs:1:3
         |
         | waits here (line 1 of a file that now has 0: it was
         | changed since)
        ");
    }

    #[test]
    fn any_column_and_line_is_survived() {
        let sources = [
            "",
            "\n",
            "ä",
            "fn main() { 店店店店 }",
            "\t\t\t",
            "x\r\n\r\ny",
        ];
        for source in sources {
            for line in 0..4 {
                for column in 0..30 {
                    show(
                        &[mark(line, Some(column), "ä", "note"), mark(1, None, "", "")],
                        source,
                        40,
                    );
                }
            }
        }
    }
}
