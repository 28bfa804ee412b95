//! Verdicts, lists and watch mode's screen as text, for a given width and colour choice. Touches no terminal.

mod advice;
mod cells;
mod checks;
mod compare;
mod document;
mod evidence;
mod excerpt;
mod fit;
mod foot;
mod head;
mod highlight;
mod incident;
mod keys;
mod listing;
mod page;
mod paint;
mod plain;
mod screen;
mod scrolled;
mod table;
mod words;

pub use advice::next_step;
pub use compare::{Pair, comparison, no_difference, too_early, unified};
pub(in crate::core) use document::document;
pub(in crate::core) use fit::cut;
pub use fit::fit;
pub(in crate::core) use foot::{KEYS, key_words, reset_question};
pub use incident::{incident_markdown, incident_page, incident_text};
pub(in crate::core) use keys::key_rows;
pub use listing::{hint_text, list_text, tracks_text};
pub use page::{Reveal, explanation, page_text};
pub use paint::{Colour, Look, Tone, file_url, legible, typed};
pub use plain::Teller;
pub use screen::{Drawn, draw};
pub use table::draw_list;
pub use words::{sentence, title};

use super::manifest::Exercise;
use super::verdict::Judged;

/// A verdict as `run` prints it. `source` is the subject's text, whose lines are quoted.
pub fn verdict_text(exercise: &Exercise, judged: &Judged, source: &str, look: &Look) -> String {
    let mut lines = verdict_lines(judged, source, look);
    lines.push(String::new());
    lines.extend(look.wrap(&next_step(exercise, judged), "next: ", "      "));
    lines.join("\n") + "\n"
}

/// The sentence, its evidence, the checks, and what a failing check printed.
pub fn verdict_lines(judged: &Judged, source: &str, look: &Look) -> Vec<String> {
    let mut lines = evidence::headline(judged, look);
    for part in [
        evidence::evidence(judged, source, look),
        evidence::swallowed(judged, source, look),
        checks::list(judged, look),
        checks::output(judged, look),
        evidence::warnings(judged, look),
    ] {
        if !part.is_empty() {
            lines.push(String::new());
            lines.extend(part);
        }
    }
    lines
}

#[cfg(test)]
mod tests;
