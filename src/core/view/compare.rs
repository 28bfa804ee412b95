//! The learner's text beside ours: in two columns where there is room, else as `diff -u` writes it.

use std::ops::Range;

use similar::{ChangeTag, DiffOp, TextDiff};

use super::fit::{cut, fit};
use super::highlight;
use super::paint::{Colour, Look, Tone, columns, plain, shown};

/// Columns from which on two texts stand side by side.
pub const TWO_COLUMNS: usize = 100;
/// How much of two lines is the same where one is a change of the other.
const ALIKE: f32 = 0.6;

/// A file of the learner's and ours, each with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub yours: (String, String),
    pub ours: (String, String),
}

/// Where nothing is to be shown yet: a sentence.
pub fn too_early(name: &str) -> String {
    format!(
        "`{name}` has not passed yet, so our fix stays hidden; `asynclings hint {name}` helps without it"
    )
}

/// Where a comparison is empty: a sentence.
pub fn no_difference(name: &str) -> String {
    format!("your fix of `{name}` and ours are the same")
}

/// Empty where all texts are the same.
pub fn comparison(pairs: &[Pair], look: &Look) -> Vec<String> {
    let others = pairs.iter().filter(|pair| pair.yours.1 != pair.ours.1);
    let texts: Vec<_> = others
        .map(|pair| match look.width >= TWO_COLUMNS {
            true => side_by_side(pair, look),
            false => unified(pair, look),
        })
        .collect();
    texts.join(&String::new())
}

/// Only what differs, and three lines around it.
pub fn unified(pair: &Pair, look: &Look) -> Vec<String> {
    let diff = TextDiff::from_lines(&pair.yours.1, &pair.ours.1);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        lines.push(look.paint(Tone::Note, hunk.header().to_string().trim_end()));
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match change.tag() {
                ChangeTag::Equal => format!(" {line}"),
                ChangeTag::Delete => look.paint(Tone::Bad, &format!("-{line}")),
                ChangeTag::Insert => look.paint(Tone::Good, &format!("+{line}")),
            });
        }
    }
    if !lines.is_empty() {
        let head = [
            format!("--- {} (yours)", pair.yours.0),
            format!("+++ {} (ours)", pair.ours.0),
        ];
        lines.splice(0..0, head.map(|head| look.paint(Tone::Strong, &head)));
    }
    lines
}

/// Both texts whole.
fn side_by_side(pair: &Pair, look: &Look) -> Vec<String> {
    let sheet = Sheet {
        look,
        // Between the columns stands ` │ `.
        half: look.width.saturating_sub(3) / 2,
    };
    let title = |what: &str, name: &str| {
        let title = cut(&format!("{what}: {name}"), sheet.half);
        vec![look.paint(Tone::Strong, &title)]
    };
    let mut rows = sheet.rows(&title("yours", &pair.yours.0), &title("ours", &pair.ours.0));
    let signs = "- only in yours   + only in ours   ~ another there";
    rows.push(look.paint(Tone::Quiet, signs));
    rows.push(String::new());
    let language = match pair.ours.0.ends_with(".rs") {
        true => "rust",
        false => "toml",
    };
    let diff = TextDiff::from_lines(&pair.yours.1, &pair.ours.1);
    let yours: Vec<&str> = pair.yours.1.lines().collect();
    let ours: Vec<&str> = pair.ours.1.lines().collect();
    for op in diff.ops() {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            for line in &yours[old] {
                let text = highlight::line(language, &shown(line), look);
                let line = sheet.line(' ', &text, None);
                rows.extend(sheet.rows(&line, &line));
            }
        } else {
            rows.extend(sheet.changed(&yours[old], &ours[new]));
        }
    }
    rows
}

struct Sheet<'l> {
    look: &'l Look,
    /// Columns of one text.
    half: usize,
}

impl Sheet<'_> {
    fn changed(&self, yours: &[&str], ours: &[&str]) -> Vec<String> {
        let mut rows = Vec::new();
        let (mut left, mut right) = (0, 0);
        let pairs = alike(yours, ours);
        for &(a, b) in &pairs {
            rows.extend(self.apart(&yours[left..a], &ours[right..b]));
            let (yours, ours) = self.words(yours[a], ours[b]);
            rows.extend(self.rows(&yours, &ours));
            (left, right) = (a + 1, b + 1);
        }
        rows.extend(self.apart(&yours[left..], &ours[right..]));
        rows
    }

    /// Lines that have nothing to do with each other.
    fn apart(&self, yours: &[&str], ours: &[&str]) -> Vec<String> {
        let side = |lines: &[&str], sign, tone| {
            let painted = lines
                .iter()
                .flat_map(|line| self.line(sign, &self.look.paint(tone, &shown(line)), None));
            painted.collect::<Vec<_>>()
        };
        self.rows(&side(yours, '-', Tone::Bad), &side(ours, '+', Tone::Good))
    }

    /// One line as the learner wrote it and as we did: the words that differ are marked.
    fn words(&self, yours: &str, ours: &str) -> (Vec<String>, Vec<String>) {
        let (yours, ours) = (shown(yours), shown(ours));
        let (old, new) = (words(&yours), words(&ours));
        let diff = TextDiff::from_slices(&old, &new);
        let side = |marked: ChangeTag, tone: Tone| {
            let (mut text, mut marks) = (String::new(), String::new());
            for change in diff.iter_all_changes() {
                let word = change.value();
                if change.tag() == marked && !word.trim().is_empty() {
                    text.push_str(&self.look.paint(tone, word));
                    marks.push_str(&"^".repeat(columns(word)));
                } else if change.tag() == marked || change.tag() == ChangeTag::Equal {
                    text.push_str(word);
                    marks.push_str(&" ".repeat(columns(word)));
                }
            }
            self.line('~', &text, Some(&marks))
        };
        (
            side(ChangeTag::Delete, Tone::Bad),
            side(ChangeTag::Insert, Tone::Good),
        )
    }

    /// A line of one text in as many rows as it takes; the sign stands before the first. Marks go below, where no
    /// colour shows what they mark.
    fn line(&self, sign: char, text: &str, marks: Option<&str>) -> Vec<String> {
        let room = self.half.saturating_sub(2);
        let texts = fit(&[text.to_owned()], room);
        let marks = match (self.look.colour, marks) {
            (Colour::None, Some(marks)) => fit(&[marks.to_owned()], room),
            _ => Vec::new(),
        };
        let mut rows = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            let sign = if n == 0 { sign } else { ' ' };
            rows.push(format!("{sign} {text}"));
            let below = marks.get(n).map(|marks| marks.trim_end());
            rows.extend(
                below
                    .filter(|marks| !marks.is_empty())
                    .map(|marks| format!("  {marks}")),
            );
        }
        rows
    }

    /// Rows of both texts, beside each other.
    fn rows(&self, left: &[String], right: &[String]) -> Vec<String> {
        let between = self.look.paint(Tone::Quiet, "│");
        let row = |n: usize| {
            let left = left.get(n).map_or("", String::as_str);
            let right = right.get(n).map_or("", String::as_str);
            let gap = " ".repeat(self.half.saturating_sub(columns(&plain(left))));
            format!("{left}{gap} {between} {right}")
                .trim_end()
                .to_owned()
        };
        (0..left.len().max(right.len())).map(row).collect()
    }
}

/// Names, numbers, spaces, and every other character by itself.
fn words(line: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut from = 0;
    let after = line.char_indices().skip(1);
    for ((at, c), before) in after.zip(line.chars()) {
        if kind(c) == 0 || kind(c) != kind(before) {
            words.push(&line[from..at]);
            from = at;
        }
    }
    words.push(&line[from..]);
    words
}

/// Lines of which one is a change of the other, in the order of both texts.
fn alike(yours: &[&str], ours: &[&str]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut from = 0;
    for (a, line) in yours.iter().enumerate() {
        let rest: Range<usize> = from..ours.len();
        if let Some(b) = rest.into_iter().find(|b| is_alike(line, ours[*b])) {
            pairs.push((a, b));
            from = b + 1;
        }
    }
    pairs
}

fn is_alike(a: &str, b: &str) -> bool {
    TextDiff::from_chars(a.trim(), b.trim()).ratio() >= ALIKE
}

#[cfg(test)]
mod tests;
