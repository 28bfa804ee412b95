//! How wide words are, and where they are broken. Fonts differ from reader to reader, so widths are of a wide one.

/// Points of text in boxes; what the CSS says as well.
pub(super) const SIZE: f64 = 10.5;
pub(super) const LINE: f64 = 12.5;

/// In units of the drawing.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|c| em(c) * SIZE).sum()
}

/// Of DejaVu Sans, about: the widest that a system without other fonts falls back to.
fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | ' ' | '.' | ',' | ':' | ';' | '!' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '`' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '&' | '+' | '=' | '<' | '>' => 0.86,
        'A'..='Z' => 0.68,
        c if c.is_ascii() => 0.6,
        // Chinese, Japanese, Korean and signs.
        _ => 1.0,
    }
}

/// Lines no wider than `room`.
///
/// # Errors
/// The part that is too wide and has no place to break it.
pub(super) fn wrap(text: &str, room: f64) -> Result<Vec<String>, String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|line| width(line) <= room) {
            Some(line) => {
                lines.pop();
                lines.push(line);
            }
            None => lines.extend(parts(word, room)?),
        }
    }
    Ok(lines)
}

/// A word that is too wide is broken after a sign that code has: `spawn_`, `blocking`.
fn parts(word: &str, room: f64) -> Result<Vec<String>, String> {
    let mut lines = vec![String::new()];
    for part in word.split_inclusive(['_', '.', ':', '/', '-', '(']) {
        if width(part) > room {
            return Err(part.to_owned());
        }
        match lines.last_mut() {
            Some(line) if width(line) + width(part) <= room => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines.retain(|line| !line.is_empty());
    Ok(lines)
}
