//! Puts into a page what its directives name. Ours and not mdBook's: that one is silent about an anchor that is not
//! there, and the terminal needs the same pages.

use super::{Complaint, DRAWINGS, Expanded, Files, Medium, PAGES, anchor};
use crate::core::drawing::{self, Drawing};

pub(super) fn expand(files: &Files, path: &str, text: &str, medium: Medium) -> Expanded {
    let mut page = Page {
        files,
        path,
        medium,
        line: 0,
        expanded: Expanded::default(),
    };
    for (n, line) in text.lines().enumerate() {
        page.line = n + 1;
        page.take(line);
    }
    page.expanded
}

struct Page<'p> {
    files: &'p Files,
    path: &'p str,
    medium: Medium,
    line: usize,
    expanded: Expanded,
}

impl Page<'_> {
    fn take(&mut self, line: &str) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let inner = line
            .trim()
            .strip_prefix("{{#")
            .and_then(|rest| rest.strip_suffix("}}"));
        let put = match inner.and_then(|inner| inner.split_once(' ')) {
            Some(("include", what)) => self.include(what.trim()),
            Some(("drawing", name)) => self.drawing(name.trim()),
            _ if line.contains("{{#") => {
                self.complain(format!(
                    "`{}` is no directive; there are `{{{{#include PATH:ANCHOR}}}}` and `{{{{#drawing NAME}}}}`, each on a line of its own",
                    line.trim()
                ));
                None
            }
            _ => Some(self.linked(line)),
        };
        for line in put.unwrap_or_default().lines() {
            let indent = if inner.is_some() && !line.is_empty() {
                indent
            } else {
                ""
            };
            self.expanded.text.push_str(indent);
            self.expanded.text.push_str(line);
            self.expanded.text.push('\n');
        }
        if line.is_empty() {
            self.expanded.text.push('\n');
        }
    }

    /// mdBook makes `index.html` of a README, and leaves the links to it as they were.
    fn linked(&self, line: &str) -> String {
        match self.medium {
            Medium::Html => line
                .replace("README.md)", "index.md)")
                .replace("README.md#", "index.md#"),
            Medium::Words => line.to_owned(),
        }
    }

    fn complain(&mut self, what: String) {
        self.expanded.complaints.push(Complaint {
            file: self.path.to_owned(),
            line: self.line,
            what,
        });
    }

    fn include(&mut self, what: &str) -> Option<String> {
        let (path, name) = match what.split_once(':') {
            Some((path, name)) => (path, Some(name)),
            None => (what, None),
        };
        let target = resolve(self.path, path);
        if target
            .as_ref()
            .is_some_and(|target| target.starts_with("exercises/"))
        {
            self.complain(format!(
                "includes {path}, which learners change; put a listing into book/listings instead"
            ));
            return None;
        }
        let Some(text) = target.as_ref().and_then(|target| self.files.get(target)) else {
            self.complain(format!("includes {path}, which is not there"));
            return None;
        };
        self.expanded.uses.extend(target.clone());
        let part = match name {
            Some(name) => anchor::part(text, name),
            None => Some(anchor::without_anchors(text)),
        };
        // Where trybuild puts it is of no interest to a reader.
        let part = part.map(|part| part.replace("$WORKSPACE/book/listings/ui/", ""));
        match part {
            Some(part) if !part.trim().is_empty() => Some(part),
            Some(_) => {
                self.complain(format!("includes {what}, which is empty"));
                None
            }
            None => {
                self.complain(format!(
                    "{path} has no anchor `{}`; it needs lines `// ANCHOR: {0}` and `// ANCHOR_END: {0}`",
                    name.unwrap_or_default()
                ));
                None
            }
        }
    }

    fn drawing(&mut self, name: &str) -> Option<String> {
        let folder = self
            .path
            .strip_prefix(PAGES)
            .and_then(|path| path.rsplit_once('/'));
        let folder = folder.map_or("", |(folder, _)| folder);
        let file = format!("{DRAWINGS}{folder}/{name}.toml").replace("//", "/");
        let Some(text) = self.files.get(&file) else {
            self.complain(format!("{file} is missing, which it draws"));
            return None;
        };
        // Also one with a mistake is used.
        self.expanded.uses.insert(file.clone());
        let id = format!("drawing-{}", name.replace('_', "-"));
        let drawn = drawing::parse(text).and_then(|drawing| match self.medium {
            Medium::Html => drawing.svg(&id),
            Medium::Words => Ok(in_words(&drawing)),
        });
        drawn
            .map_err(|complaints| {
                let complaints = complaints.into_iter().map(|complaint| Complaint {
                    file: file.clone(),
                    line: 0,
                    what: complaint.to_string(),
                });
                self.expanded.complaints.extend(complaints);
            })
            .ok()
    }
}

fn in_words(drawing: &Drawing) -> String {
    format!("> **Drawing: {}.** {}", drawing.title, drawing.in_words())
}

/// From a page's file to another; `None` above the workbook's folder.
pub(super) fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
