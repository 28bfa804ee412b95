//! A page of the book as lines for a terminal: the same words as in the browser, drawings as their text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::highlight;
use super::paint::{Look, Tone, columns, shown};
use table::Table;
use words::Words;

mod table;
mod words;

/// `markdown` is a page with its code and drawings in place (`Medium::Words`).
pub fn page_text(markdown: &str, look: &Look) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = Page::new(look);
    for event in Parser::new_ext(markdown, options) {
        page.take(event);
    }
    page.flush();
    while page.lines.last().is_some_and(String::is_empty) {
        page.lines.pop();
    }
    page.lines
}

struct Page<'l> {
    look: &'l Look,
    lines: Vec<String>,
    words: Words,
    tones: Vec<Tone>,
    /// What stands before each line of the blocks that are open, and before their first one.
    indents: Vec<Indent>,
    lists: Vec<Option<u64>>,
    /// The language of the code block that is open.
    code: Option<String>,
    table: Option<Table>,
    link: Option<(String, String)>,
}

struct Indent {
    first: Option<String>,
    rest: String,
}

impl<'l> Page<'l> {
    fn new(look: &'l Look) -> Self {
        Self {
            look,
            lines: Vec::new(),
            words: Words::default(),
            tones: Vec::new(),
            indents: Vec::new(),
            lists: Vec::new(),
            code: None,
            table: None,
            link: None,
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code.is_some() => self.code_lines(&text),
            Event::Text(text) => self.say(&text, None),
            Event::Code(code) => self.code(&format!("`{code}`")),
            Event::SoftBreak => self.words.space(),
            Event::HardBreak => self.flush(),
            Event::Rule => {
                self.apart();
                let rule = "─".repeat(self.look.width.clamp(1, 20));
                self.lines.push(self.look.paint(Tone::Quiet, &rule));
            }
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Heading { .. } => {
                self.apart();
                self.tones.push(Tone::Strong);
            }
            Tag::Paragraph if self.table.is_none() => self.block(),
            Tag::BlockQuote(_) => {
                self.block();
                self.indents.push(Indent {
                    first: None,
                    rest: "│ ".to_owned(),
                });
            }
            Tag::CodeBlock(kind) => {
                self.block();
                let language = match &kind {
                    pulldown_cmark::CodeBlockKind::Fenced(info) => {
                        info.split([',', ' ']).next().unwrap_or("").to_owned()
                    }
                    pulldown_cmark::CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(language);
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block();
                } else {
                    self.flush();
                }
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(_) => {
                self.block();
                self.table = Some(Table::default());
            }
            Tag::Emphasis | Tag::Strong => self.tones.push(Tone::Strong),
            Tag::Link { dest_url, .. } => self.link = Some((dest_url.to_string(), String::new())),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.tones.pop();
                self.lines.push(String::new());
            }
            TagEnd::Paragraph => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.indents.pop();
            }
            TagEnd::CodeBlock => self.code = None,
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.indents.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                self.table.iter_mut().for_each(|table| table.cell(&cell));
            }
            TagEnd::TableHead | TagEnd::TableRow => self.table.iter_mut().for_each(Table::row),
            TagEnd::Table => {
                let table = self.table.take().unwrap_or_default();
                let room = self.room();
                for line in table.lines(room, self.look) {
                    self.push(&line);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong => {
                self.tones.pop();
            }
            TagEnd::Link => self.end_link(),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.flush();
        let sign = match self.lists.last_mut() {
            Some(Some(n)) => {
                *n += 1;
                format!("{}. ", *n - 1)
            }
            _ => "- ".to_owned(),
        };
        self.indents.push(Indent {
            rest: " ".repeat(sign.len()),
            first: Some(sign),
        });
    }

    /// A link that leads out of the book is of use only with its address.
    fn end_link(&mut self) {
        let Some((url, text)) = self.link.take() else {
            return;
        };
        if url.contains("://") && url != text {
            self.words.space();
            self.words
                .add(&format!("({url})"), Some(Tone::Quiet), self.look);
        }
    }

    fn say(&mut self, text: &str, tone: Option<Tone>) {
        if let Some((_, said)) = &mut self.link {
            said.push_str(text);
        }
        let tone = tone.or(self.tones.last().copied());
        self.words.add(&shown(text), tone, self.look);
    }

    /// A command or a path stays on one line, as long as that leaves no great gap.
    fn code(&mut self, code: &str) {
        if columns(code) > self.room() / 2 {
            return self.say(code, Some(Tone::Note));
        }
        if let Some((_, said)) = &mut self.link {
            said.push_str(code);
        }
        self.words.whole(&shown(code), Tone::Note, self.look);
    }

    fn code_lines(&mut self, text: &str) {
        let language = self.code.clone().unwrap_or_default();
        for line in text.lines() {
            let line = format!(
                "    {}",
                highlight::line(&language, &shown(line), self.look)
            );
            self.push(line.trim_end());
        }
    }

    /// The fold's own line becomes a rule with its words; other tags say nothing here.
    fn html(&mut self, html: &str) {
        if let Some((_, rest)) = html.split_once("<summary>") {
            self.block();
            let summary = rest.split("</summary>").next().unwrap_or("");
            self.say(&format!("── {summary} ──"), Some(Tone::Quiet));
            self.flush();
        }
    }

    fn room(&self) -> usize {
        let indents: usize = self
            .indents
            .iter()
            .map(|indent| indent.rest.chars().count())
            .sum();
        self.look.width.saturating_sub(indents).max(20)
    }

    /// A block begins: one empty line before it, but for the first of an item.
    fn block(&mut self) {
        self.flush();
        let begins_item = self
            .indents
            .last()
            .is_some_and(|indent| indent.first.is_some());
        let is_spaced = self
            .lines
            .last()
            .is_none_or(|line| line.trim_matches(['│', ' ']).is_empty());
        if !begins_item && !is_spaced {
            let rest: String = self
                .indents
                .iter()
                .map(|indent| indent.rest.as_str())
                .collect();
            self.lines.push(rest.trim_end().to_owned());
        }
    }

    /// A heading stands by itself.
    fn apart(&mut self) {
        self.flush();
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        for line in words.wrapped(self.room()) {
            self.push(&line);
        }
    }

    fn push(&mut self, line: &str) {
        let mut out = String::new();
        for indent in &mut self.indents {
            out.push_str(&indent.first.take().unwrap_or_else(|| indent.rest.clone()));
        }
        out.push_str(line);
        self.lines.push(out);
    }
}

/// How far a page may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reveal {
    UpToTheFix,
    All,
}

/// The page of an exercise, up to where it gives the exercise away, or all of it.
pub fn explanation(name: &str, markdown: &str, reveal: Reveal, look: &Look) -> Vec<String> {
    let fold = match reveal {
        Reveal::UpToTheFix => crate::core::book::fold(markdown),
        Reveal::All => None,
    };
    let mut lines = page_text(&markdown[..fold.unwrap_or(markdown.len())], look);
    if fold.is_some() {
        let text = format!(
            "The fix follows here, line by line, with other right fixes and tempting wrong ones. It is shown once the exercise has passed; `asynclings explain {name} --all` shows it now."
        );
        lines.push(String::new());
        lines.extend(
            look.wrap(&text, "", "")
                .iter()
                .map(|line| look.paint(Tone::Note, line)),
        );
    }
    lines
}

#[cfg(test)]
mod tests;
