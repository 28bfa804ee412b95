//! rustc's JSON lines -> diagnostics for a learner: errors in the subject's file first. Pure.

use cargo_metadata::diagnostic::{Diagnostic as Raw, DiagnosticLevel, DiagnosticSpan};

use crate::core::record::Place;
use crate::core::verdict::Diagnostic;

/// More than anybody mends at a time.
const SHOWN: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) errors: Vec<Diagnostic>,
    /// In the subject's file only.
    pub(super) warnings: Vec<Diagnostic>,
    /// What was no JSON: rustc's last words when it crashes.
    pub(super) noise: String,
}

pub(super) fn parse(stderr: &str, subject: &str) -> Said {
    let mut said = Said::default();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for line in stderr.lines() {
        let Ok(raw) = serde_json::from_str::<Raw>(line) else {
            said.noise.push_str(line);
            said.noise.push('\n');
            continue;
        };
        let primary = raw
            .spans
            .iter()
            .filter(|span| span.is_primary)
            .find_map(|span| place(span, subject));
        match raw.level {
            DiagnosticLevel::Error | DiagnosticLevel::Ice
                if raw.message.starts_with("aborting due to") => {}
            DiagnosticLevel::Error | DiagnosticLevel::Ice => match primary {
                Some(at) => {
                    let at = held_across(&raw, subject).unwrap_or(at);
                    own.push(diagnostic(raw, Some(at)));
                }
                None => {
                    let at = elsewhere(&raw, subject);
                    others.push(diagnostic(raw, at));
                }
            },
            DiagnosticLevel::Warning if primary.is_some() => {
                said.warnings.push(diagnostic(raw, primary))
            }
            _ => {}
        }
    }
    said.errors = own.into_iter().chain(others).take(SHOWN).collect();
    said.warnings.truncate(SHOWN);
    said
}

/// Errors and warnings that stand in one of these files: its name as rustc gives it, and as it is to be called.
pub(super) fn of_files(stderr: &str, files: &[(&str, &str)]) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    for line in stderr.lines() {
        let Ok(raw) = serde_json::from_str::<Raw>(line) else {
            continue;
        };
        let mut spans = raw.spans.iter().filter(|span| span.is_primary);
        let at = spans.find_map(|span| {
            files.iter().find_map(|(given, called)| {
                let at = place(span, given)?;
                Some(Place {
                    file: (*called).to_string(),
                    ..at
                })
            })
        });
        if at.is_some() {
            let mut diagnostic = diagnostic(raw, at);
            for (given, called) in files {
                diagnostic.rendered = diagnostic.rendered.replace(given, called);
            }
            said.push(diagnostic);
        }
    }
    said
}

/// One of our own, in rustc's manner.
pub(super) fn ours(message: String, file: &str, line: u32) -> Diagnostic {
    let rendered = format!("error: {message}\n --> {file}:{line}:1\n");
    let at = Some(Place {
        file: file.to_string(),
        line,
        column: None,
        what: String::new(),
    });
    Diagnostic {
        level: "error".to_string(),
        code: None,
        message,
        rendered,
        at,
    }
}

fn diagnostic(raw: Raw, at: Option<Place>) -> Diagnostic {
    let level = if raw.level == DiagnosticLevel::Warning {
        "warning"
    } else {
        "error"
    };
    Diagnostic {
        level: level.to_string(),
        code: raw.code.map(|code| code.code),
        rendered: raw
            .rendered
            .unwrap_or_else(|| format!("{level}: {}\n", raw.message)),
        message: raw.message,
        at,
    }
}

/// The `.await` over which something is held. `tokio::spawn` is only where that is asked for.
fn held_across(raw: &Raw, subject: &str) -> Option<Place> {
    let across = raw
        .children
        .iter()
        .filter(|note| note.message.contains("across an await"));
    first_place(across, subject)
}

/// The subject's line in an error that stands in the checks: `spawnable(handle())` fails there, and the guard that is
/// held across an `.await` is in a note.
fn elsewhere(raw: &Raw, subject: &str) -> Option<Place> {
    held_across(raw, subject)
        .or_else(|| first_place(std::iter::once(raw).chain(&raw.children), subject))
}

fn first_place<'a>(mut notes: impl Iterator<Item = &'a Raw>, subject: &str) -> Option<Place> {
    notes.find_map(|note| {
        let (primary, others): (Vec<_>, Vec<_>) =
            note.spans.iter().partition(|span| span.is_primary);
        let mut spans = primary.into_iter().chain(others);
        spans.find_map(|span| place(span, subject))
    })
}

/// Through macros: an error inside `select!` belongs to the line that calls it.
fn place(span: &DiagnosticSpan, subject: &str) -> Option<Place> {
    let mut span = span;
    while span.file_name != subject {
        span = &span.expansion.as_ref()?.span;
    }
    Some(Place {
        file: subject.to_string(),
        line: span.line_start as u32,
        column: Some(span.column_start as u32),
        what: String::new(),
    })
}

#[cfg(test)]
mod tests;
