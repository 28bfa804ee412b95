//! A text that is longer than its place: the part that is seen, and where the rest is.

use super::paint::{Look, Tone};

/// Exactly `room` rows of the body, from row `at` on. In place of a row it says how many more there are.
pub(super) fn scrolled(body: &[String], at: usize, room: usize, look: &Look) -> Vec<String> {
    let mut shown: Vec<String> = body.iter().skip(at).take(room).cloned().collect();
    let below = body.len().saturating_sub(at + room);
    if let (1.., Some(last)) = (below, shown.last_mut()) {
        *last = more("↓", below + 1, look);
    } else if let (1.., Some(first)) = (at, shown.first_mut()) {
        *first = more("↑", at + 1, look);
    }
    shown.resize(room, String::new());
    shown
}

/// It hides a row as well, and counts it.
fn more(sign: &str, rows: usize, look: &Look) -> String {
    let text: String = format!("  {sign} {rows} more rows: arrow keys")
        .chars()
        .take(look.width)
        .collect();
    look.paint(Tone::Quiet, &text)
}
