//! Lines cut into rows of a terminal. Colour and links go on over the cut.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Cuts lines at the width; an escape sequence takes no room.
pub fn fit(lines: &[String], width: usize) -> Vec<String> {
    lines
        .iter()
        .flat_map(|line| rows(line, width.max(1)))
        .collect()
}

/// One row of plain text; what does not fit shows as `…`.
pub(in crate::core) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

fn rows(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    // What must be sent again at the start of a row for it to look like the one before.
    let mut style = String::new();
    let mut used = 0;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = escape(rest) {
            row.push_str(sequence);
            remember(&mut style, sequence);
            rest = &rest[sequence.len()..];
            continue;
        }
        let wide = c.width().unwrap_or(0);
        if used + wide > width {
            if !style.is_empty() {
                row.push_str("\x1b[0m");
            }
            rows.push(std::mem::replace(&mut row, style.clone()));
            used = 0;
        }
        row.push(c);
        used += wide;
        rest = &rest[c.len_utf8()..];
    }
    rows.push(row);
    rows
}

fn remember(style: &mut String, sequence: &str) {
    match sequence {
        "\x1b[0m" | "\x1b[m" => style.clear(),
        colour if colour.ends_with('m') && colour.starts_with("\x1b[") => style.push_str(colour),
        _ => {}
    }
}

/// The escape sequence at the start of the text: a CSI, or an OSC with its end.
fn escape(text: &str) -> Option<&str> {
    let after = text.strip_prefix('\x1b')?;
    let end = match after.as_bytes().first() {
        Some(b'[') => after
            .find(|c: char| c.is_ascii_alphabetic())
            .map(|at| at + 1),
        Some(b']') => after.find("\x1b\\").map(|at| at + 2),
        _ => Some(0),
    };
    Some(&text[..1 + end.unwrap_or(after.len())])
}

#[cfg(test)]
mod tests {
    use super::{cut, fit};

    #[test]
    fn a_cut_line_keeps_its_colour_and_ends_it_on_each_row() {
        let rows = fit(&["ab\x1b[31mcdef\x1b[0mgh".to_owned()], 4);
        assert_eq!(rows, ["ab\x1b[31mcd\x1b[0m", "\x1b[31mef\x1b[0mgh"]);
    }

    #[test]
    fn a_wide_character_is_never_halved() {
        assert_eq!(fit(&["店店店".to_owned()], 5), ["店店", "店"]);
    }

    #[test]
    fn what_is_cut_ends_in_a_sign_and_never_in_half_a_character() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("店店店", 4), "店…");
    }

    #[test]
    fn a_link_takes_no_room() {
        let link = "\x1b]8;;file:///a\x1b\\abc\x1b]8;;\x1b\\";
        assert_eq!(fit(&[link.to_owned()], 3), [link]);
    }
}
