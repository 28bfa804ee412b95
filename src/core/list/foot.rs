//! The foot of the table: a word, and the keys. What it takes is not there for exercises.

use super::{Facts, List, Shows};
use crate::core::view::{Colour, Look, key_rows, reset_question};

/// Rows above the exercises: what is shown, and the columns' names.
pub(in crate::core) const ABOVE: usize = 2;

const KEYS: [(&str, &str); 12] = [
    ("↑↓", "move"),
    ("Enter", "go"),
    ("/", "find"),
    ("f", "state"),
    ("c", "chapter"),
    ("t", "track"),
    ("s", "sort"),
    ("a", "all"),
    ("h", "hint"),
    ("e", "page"),
    ("x", "reset"),
    ("q", "back"),
];
const TYPING: [(&str, &str); 2] = [("Enter", "keeps it"), ("Esc", "drops it")];
const ANSWERS: [(&str, &str); 2] = [("y", "yes"), ("n", "no")];
const HINTS: [(&str, &str); 3] = [("h", "next hint"), ("↑↓", "scroll"), ("Esc", "back")];
const PAGE: [(&str, &str); 2] = [("↑↓", "scroll"), ("Esc", "back")];

impl List {
    /// Rows that there are for exercises; at least one.
    pub(in crate::core) fn room(&self, facts: &Facts) -> usize {
        let below = self.words(facts).len() + self.keys(facts).len();
        facts.size.1.saturating_sub(ABOVE + below).max(1)
    }

    /// A question, an answer, or else about the selected exercise.
    pub(in crate::core) fn words(&self, facts: &Facts) -> Vec<String> {
        let Some(exercise) = self.exercise(facts) else {
            return Vec::new();
        };
        let look = plain(facts.size.0);
        match (&self.shows, self.notice.as_deref().or(facts.notice)) {
            (Shows::Finding, _) => vec![format!("find: {}_", self.choice.text)],
            (Shows::Asking, _) => look.wrap(&reset_question(&exercise.name), "? ", "  "),
            (_, Some(notice)) => look.wrap(notice, "! ", "  "),
            (Shows::Rows, None) if !self.rows(facts).is_empty() => {
                vec![about(self, exercise, facts)]
            }
            _ => Vec::new(),
        }
    }

    /// On a low screen the last of them go, before the only exercise does.
    pub(in crate::core) fn keys(&self, facts: &Facts) -> Vec<String> {
        let keys: &[(&str, &str)] = match self.shows {
            Shows::Rows => &KEYS,
            Shows::Finding => &TYPING,
            Shows::Asking => &ANSWERS,
            Shows::Hints(_) => &HINTS,
            Shows::Page(_) => &PAGE,
        };
        let mut rows = key_rows(keys, facts.size.0);
        let taken = ABOVE + 1 + self.words(facts).len();
        rows.truncate(facts.size.1.saturating_sub(taken));
        rows
    }
}

fn about(list: &List, exercise: &crate::core::manifest::Exercise, facts: &Facts) -> String {
    let chapter = facts.manifest.chapter(&exercise.chapter);
    let chapter = chapter.map_or("", |chapter| &chapter.title);
    let record = facts.progress.of(&exercise.name);
    let here = if list.selected == facts.current {
        " · you are here"
    } else {
        ""
    };
    format!(
        "{}{here} · {chapter} · level {} of 5 · {} · {}",
        exercise.title,
        exercise.difficulty,
        count(record.attempts, "try", "tries"),
        count(record.hints.into(), "hint", "hints"),
    )
}

fn count(n: u64, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

fn plain(width: usize) -> Look {
    Look {
        width,
        colour: Colour::None,
        links: None,
        program: "asynclings",
    }
}
