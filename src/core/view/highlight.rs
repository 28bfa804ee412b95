//! Rust and shell text in colour: words and literals, no grammar. Colour here only repeats what the text says.

use super::paint::{Look, Tone};

const KEYWORDS: [&str; 38] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use",
    "where", "while", "yield",
];

/// A line of a block whose fence names `language`.
pub(super) fn line(language: &str, line: &str, look: &Look) -> String {
    match language {
        "rust" => rust(line, look),
        "sh" | "console" | "toml" => shell(line, look),
        _ => line.to_owned(),
    }
}

fn shell(line: &str, look: &Look) -> String {
    if line.trim_start().starts_with('#') {
        return look.paint(Tone::Quiet, line);
    }
    line.to_owned()
}

fn rust(line: &str, look: &Look) -> String {
    let mut out = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (len, tone) = token(rest);
        let (text, after) = rest.split_at(len);
        match tone {
            Some(tone) => out.push_str(&look.paint(tone, text)),
            None => out.push_str(text),
        }
        rest = after;
    }
    out
}

/// The length of what the text begins with, and its tone.
fn token(text: &str) -> (usize, Option<Tone>) {
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("//") {
        return (text.len(), Some(Tone::Quiet));
    }
    if first == '"' {
        return (string(text), Some(Tone::Literal));
    }
    if first.is_alphanumeric() || first == '_' {
        let len = word(text);
        let name = &text[..len];
        let tone = if KEYWORDS.contains(&name) {
            Some(Tone::Keyword)
        } else if first.is_ascii_digit() {
            Some(Tone::Literal)
        } else if text[len..].starts_with('!') || first.is_uppercase() {
            Some(Tone::Note)
        } else {
            None
        };
        return (len, tone);
    }
    (first.len_utf8(), None)
}

fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// To the closing quote, or to the end of the line where the string goes on.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::paint::{Colour, Look, plain};
    use super::line;

    fn look(colour: Colour) -> Look {
        Look {
            width: 80,
            colour,
            links: None,
            program: "asynclings",
        }
    }

    #[test]
    fn the_text_stays_what_it_was() {
        for text in [
            "    let x: u64 = \"a \\\" // no comment\".len(); // wait",
            "tokio::select! { _ = a => 1, 'ä' => {} }",
            "\"open",
            "",
        ] {
            assert_eq!(line("rust", text, &look(Colour::None)), text);
            assert_eq!(plain(&line("rust", text, &look(Colour::Ansi))), text);
        }
    }

    #[test]
    fn words_strings_and_comments_are_told_apart() {
        let painted = line("rust", "let a = \"b\"; // c", &look(Colour::Ansi));
        assert_eq!(painted.matches("\x1b[0m").count(), 3, "{painted:?}");
    }
}
