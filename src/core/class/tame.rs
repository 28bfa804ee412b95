//! Text of a learner, made fit to be shown beside another's: a name, a message or a program's output may hold what moves a
//! cursor, turns a line around or ends a quotation.

use crate::core::view::legible;

/// Line by line, without escape sequences; other control characters, and those that change the direction of what follows
/// or cannot be seen, show as `\u{fffd}`.
pub(super) fn tame(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(tame_line).collect();
    lines.join("\n")
}

/// The same as one line.
pub(super) fn tame_line(text: &str) -> String {
    let shown = legible(&text.replace("\r\n", " ").replace(['\r', '\n'], " "));
    shown
        .chars()
        .map(|c| if is_deceptive(c) { '\u{fffd}' } else { c })
        .collect()
}

fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The beginning, up to so many characters, and a word about the rest.
pub(super) fn cut(text: &str, most: usize, rest: &str) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(rest.chars().count());
    text.chars().take(kept).chain(rest.chars()).collect()
}
