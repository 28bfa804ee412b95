//! The book as texts in memory: pages expanded from what they include, the rules that pages keep, and what a built site
//! must not have. Touches no disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod anchor;
mod expand;
mod paths;
mod rules;
mod site;
#[cfg(test)]
mod tests;

pub use anchor::without_anchors;
pub use paths::api_paths;
pub use rules::fold;
pub use site::{Site, complaints as site_complaints};

use super::manifest::{Exercise, Manifest};

/// Texts by their path from the workbook's folder, with `/`: everything below `book/` and `solutions/` that is text.
pub type Files = BTreeMap<String, String>;

/// Something to mend before readers see the book.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    pub file: String,
    /// From 1; 0 where it is the file as a whole.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// What drawings become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// SVG, in a Markdown page that becomes HTML.
    Html,
    /// Words, for a terminal.
    Words,
}

#[derive(Debug, Clone)]
pub struct Book {
    files: Files,
}

/// A page with everything in its place, and what was wrong on the way.
#[derive(Debug, Default)]
pub struct Expanded {
    pub text: String,
    pub complaints: Vec<Complaint>,
    /// Files that it draws or includes.
    uses: BTreeSet<String>,
}

const PAGES: &str = "book/src/";
const DRAWINGS: &str = "book/drawings/";
const FIGURES: &str = "book/figures/";
const SUMMARY: &str = "book/src/SUMMARY.md";

impl Book {
    pub fn new(files: Files) -> Self {
        Self { files }
    }

    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Paths of all pages, without the summary.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        let pages = self.files.keys().map(String::as_str);
        pages.filter(|path| path.starts_with(PAGES) && path.ends_with(".md") && *path != SUMMARY)
    }

    /// `None`: there is no such page.
    pub fn expanded(&self, path: &str, medium: Medium) -> Option<Expanded> {
        let text = self.files.get(path)?;
        Some(expand::expand(&self.files, path, text, medium))
    }

    /// The page of an exercise.
    pub fn page_of(&self, exercise: &Exercise, medium: Medium) -> Option<Expanded> {
        self.expanded(&page_path(exercise), medium)
    }

    /// Everything that is wrong with the sources.
    pub fn complaints(&self, manifest: &Manifest) -> Vec<Complaint> {
        let mut found = Vec::new();
        let mut used = BTreeSet::new();
        for path in self.pages() {
            let Some(page) = self.expanded(path, Medium::Html) else {
                continue;
            };
            if page.complaints.is_empty() {
                found.extend(rules::empty_code(path, &page.text));
            }
            found.extend(page.complaints);
            used.extend(page.uses);
        }
        for exercise in &manifest.exercises {
            found.extend(match self.files.get(&page_path(exercise)) {
                Some(text) => rules::of_page(exercise, &page_path(exercise), text),
                None => vec![Complaint {
                    file: page_path(exercise),
                    line: 0,
                    what: "is missing; each exercise has a page".to_owned(),
                }],
            });
        }
        found.extend(rules::of_folders(self, manifest));
        found.extend(rules::of_summary(self, manifest));
        found.extend(self.unused(DRAWINGS, "draw it with a line `{{#drawing NAME}}`", &used));
        let include = "include it in the page of its exercise";
        found.extend(self.unused(FIGURES, include, &used));
        found.sort();
        found.dedup();
        found
    }

    /// What is made for pages and stands on none.
    fn unused(&self, folder: &str, instead: &str, used: &BTreeSet<String>) -> Vec<Complaint> {
        let all = self.files.keys().filter(|path| path.starts_with(folder));
        all.filter(|path| !used.contains(*path))
            .map(|path| Complaint {
                file: path.clone(),
                line: 0,
                what: format!("is on no page; remove it, or {instead}"),
            })
            .collect()
    }
}

/// `book/src/04_locks/self_deadlock.md`
pub fn page_path(exercise: &Exercise) -> String {
    format!("{PAGES}{}/{}.md", exercise.chapter, exercise.name)
}

/// `book/figures/02_blocking/starved_health.md`
pub fn figures_path(exercise: &Exercise) -> String {
    format!("{FIGURES}{}/{}.md", exercise.chapter, exercise.name)
}

/// `book/verdicts/04_locks/self_deadlock.txt`
pub fn verdict_path(exercise: &Exercise) -> String {
    format!("book/verdicts/{}/{}.txt", exercise.chapter, exercise.name)
}
