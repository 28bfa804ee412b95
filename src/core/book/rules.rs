//! What a page must have, and which pages there must be.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::expand::resolve;
use super::{Book, Complaint, PAGES, SUMMARY, page_path};
use crate::core::manifest::{Exercise, Manifest};

const HEADINGS: [&str; 8] = [
    "The incident",
    "Why it happens",
    "How it shows",
    "The fix, line by line",
    "Other right fixes",
    "Tempting wrong fixes",
    "For good",
    "Sources",
];
/// Of these, what stands inside the fold.
const FOLDED: Range<usize> = 3..6;
const FOLD: &str = "<details class=\"fix\">";
const FOLD_END: &str = "</details>";

/// Where the fix begins, as an offset into a page.
pub fn fold(page: &str) -> Option<usize> {
    page.find(FOLD)
}

pub(super) fn of_page(exercise: &Exercise, path: &str, text: &str) -> Vec<Complaint> {
    let complain = |at: usize, what: String| Complaint {
        file: path.to_owned(),
        line: line(text, at),
        what,
    };
    let mut found = Vec::new();
    let (titles, sections): (Vec<_>, Vec<_>) = headings(text)
        .into_iter()
        .filter(|(level, ..)| *level <= HeadingLevel::H2)
        .partition(|(level, ..)| *level == HeadingLevel::H1);
    let title = titles.first().map_or("", |(_, title, _)| title);
    if titles.len() != 1 || title != exercise.title {
        let at = titles.last().map_or(0, |(.., at)| *at);
        found.push(complain(
            at,
            format!(
                "must have one title, `# {}` as in info.toml",
                exercise.title
            ),
        ));
    }
    let names: Vec<&str> = sections.iter().map(|(_, name, _)| name.as_str()).collect();
    if names != HEADINGS {
        let differs = names
            .iter()
            .zip(HEADINGS)
            .position(|(has, wants)| *has != wants);
        let n = differs.unwrap_or(names.len().min(HEADINGS.len()));
        let at = sections.get(n).map_or(text.len(), |(.., at)| *at);
        let wanted = HEADINGS
            .get(n)
            .map_or("the end of the page".to_owned(), |name| {
                format!("`## {name}`")
            });
        found.push(complain(
            at,
            format!(
                "here {wanted} must come; the sections are: {}",
                HEADINGS.join(" · ")
            ),
        ));
    }
    found.extend(of_fold(text, &sections).map(|(at, what)| complain(at, what)));
    found
}

fn of_fold(text: &str, sections: &[(HeadingLevel, String, usize)]) -> Option<(usize, String)> {
    let folds = text.matches("<details").count();
    let (from, to) = (text.find(FOLD), text.rfind(FOLD_END));
    let (Some(from), Some(to), 1) = (from, to, folds) else {
        let at = text.rfind("<details").unwrap_or(0);
        return Some((
            at,
            format!(
                "must have one `{FOLD}` with its `{FOLD_END}`, around all that gives the fix away"
            ),
        ));
    };
    let astray = sections.iter().find(|(_, name, at)| {
        let folded = HEADINGS[FOLDED].contains(&name.as_str());
        HEADINGS.contains(&name.as_str()) && folded != (from..to).contains(at)
    });
    astray.map(|(_, name, at)| {
        let side = if HEADINGS[FOLDED].contains(&name.as_str()) {
            "inside"
        } else {
            "outside"
        };
        (*at, format!("`## {name}` must stand {side} `{FOLD}`"))
    })
}

/// Level, text, offset.
fn headings(text: &str) -> Vec<(HeadingLevel, String, usize)> {
    let mut found: Vec<(HeadingLevel, String, usize)> = Vec::new();
    let mut inside = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                inside = true;
                found.push((level, String::new(), range.start));
            }
            Event::End(TagEnd::Heading(_)) => inside = false,
            Event::Text(part) | Event::Code(part) if inside => {
                if let Some((_, name, _)) = found.last_mut() {
                    name.push_str(&part);
                }
            }
            _ => {}
        }
    }
    found
}

/// Of an expanded page: its lines are not the file's, so the line before the block is quoted instead.
pub(super) fn empty_code(path: &str, text: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    let mut block: Option<(usize, String)> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match (event, &mut block) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))), _) => {
                block = Some((range.start, String::new()));
            }
            (Event::Text(part), Some((_, code))) => code.push_str(&part),
            (Event::End(TagEnd::CodeBlock), Some((at, code))) => {
                if code.trim().is_empty() {
                    let before = text[..*at].lines().rfind(|line| !line.trim().is_empty());
                    let what = format!("has an empty code block after `{}`", before.unwrap_or(""));
                    found.push(Complaint {
                        file: path.to_owned(),
                        line: 0,
                        what,
                    });
                }
                block = None;
            }
            _ => {}
        }
    }
    found
}

/// In the chapters' folders lie pages of exercises, and a README each.
pub(super) fn of_folders(book: &Book, manifest: &Manifest) -> Vec<Complaint> {
    let known: BTreeSet<String> = manifest.exercises.iter().map(page_path).collect();
    let is_chapter = |path: &&str| {
        let folder = path
            .strip_prefix(PAGES)
            .and_then(|path| path.split_once('/'));
        folder
            .is_some_and(|(folder, file)| manifest.chapter(folder).is_some() && file != "README.md")
    };
    let strays = book
        .pages()
        .filter(is_chapter)
        .filter(|path| !known.contains(*path));
    strays
        .map(|path| Complaint {
            file: path.to_owned(),
            line: 0,
            what: "is the page of no exercise in info.toml".to_owned(),
        })
        .collect()
}

/// The summary lists each page once, by the title of its exercise, and nothing else.
pub(super) fn of_summary(book: &Book, manifest: &Manifest) -> Vec<Complaint> {
    let Some(text) = book.files().get(SUMMARY) else {
        return vec![Complaint {
            file: SUMMARY.to_owned(),
            line: 0,
            what: "is missing; it lists the pages in their order".to_owned(),
        }];
    };
    let mut found = Vec::new();
    let mut listed = BTreeSet::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else {
            continue;
        };
        let complain = |what: &str| Complaint {
            file: SUMMARY.to_owned(),
            line: line(text, range.start),
            what: format!("{dest_url} {what}"),
        };
        match resolve(SUMMARY, &dest_url) {
            Some(page) if !book.files().contains_key(&page) => found.push(complain("is not there")),
            Some(page) if !listed.insert(page.clone()) => found.push(complain("is listed twice")),
            Some(page) => {
                let mut exercises = manifest.exercises.iter();
                let exercise = exercises.find(|exercise| page_path(exercise) == page);
                let title = format!("[{}]", exercise.map_or("", |exercise| &exercise.title));
                if exercise.is_some() && !text[range.clone()].starts_with(&title) {
                    found.push(complain(&format!(
                        "must be listed as {title}, as in info.toml"
                    )));
                }
            }
            None => found.push(complain("is outside of the book")),
        }
    }
    let unlisted = book.pages().filter(|page| !listed.contains(*page));
    found.extend(unlisted.map(|page| Complaint {
        file: page.to_owned(),
        line: 0,
        what: format!("is not listed in {SUMMARY}, so nobody finds it"),
    }));
    found
}

pub(super) fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
}
