//! Painted words and their wrapping. Each word carries its own colour, so that a line can be cut anywhere between them.

use super::super::paint::{Look, Tone, columns};

#[derive(Debug, Default, Clone)]
pub(super) struct Words {
    words: Vec<Word>,
    /// The next text begins another word.
    spaced: bool,
}

#[derive(Debug, Default, Clone)]
struct Word {
    painted: String,
    plain: String,
}

impl Words {
    pub(super) fn space(&mut self) {
        self.spaced = true;
    }

    /// One word, whatever spaces are in it.
    pub(super) fn whole(&mut self, text: &str, tone: Tone, look: &Look) {
        let painted = look.paint(tone, text);
        match self.words.last_mut() {
            Some(word) if !self.spaced => {
                word.painted.push_str(&painted);
                word.plain.push_str(text);
            }
            _ => self.words.push(Word {
                painted,
                plain: text.to_owned(),
            }),
        }
        self.spaced = false;
    }

    pub(super) fn add(&mut self, text: &str, tone: Option<Tone>, look: &Look) {
        self.spaced |= text.starts_with(char::is_whitespace);
        for part in text.split_whitespace() {
            let painted = match tone {
                Some(tone) => look.paint(tone, part),
                None => part.to_owned(),
            };
            match self.words.last_mut() {
                Some(word) if !self.spaced => {
                    word.painted.push_str(&painted);
                    word.plain.push_str(part);
                }
                _ => self.words.push(Word {
                    painted,
                    plain: part.to_owned(),
                }),
            }
            self.spaced = true;
        }
        self.spaced = text.ends_with(char::is_whitespace) || (self.spaced && text.is_empty());
    }

    pub(super) fn append(&mut self, other: &Words) {
        self.words.extend(other.words.iter().cloned());
    }

    /// In one line, without colour.
    pub(super) fn plain(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.plain.as_str()).collect();
        words.join(" ")
    }

    pub(super) fn wrapped(&self, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut used = 0;
        for word in &self.words {
            let wide = columns(&word.plain);
            match lines.last_mut() {
                Some(line) if used + 1 + wide <= width => {
                    line.push(' ');
                    line.push_str(&word.painted);
                    used += 1 + wide;
                }
                _ => {
                    lines.push(word.painted.clone());
                    used = wide;
                }
            }
        }
        lines
    }
}
