//! What a refused build means: the learner's error, a broken contract, or a mistake in our checks.

use super::contract::{Broken, broken};
use super::{Diagnostic, OurFault, Sources};
use crate::core::record::Place;

pub(super) struct RefusedBuild {
    /// Errors in the learner's file first; those in the checks only where there are no others.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) at: Vec<Place>,
    pub(super) message: String,
}

pub(super) fn refused(
    sources: &Sources<'_>,
    mut diagnostics: Vec<Diagnostic>,
) -> Result<RefusedBuild, OurFault> {
    for diagnostic in &mut diagnostics {
        if diagnostic.at.is_none() {
            diagnostic.at = mentioned(&diagnostic.rendered, sources.subject_file);
        }
    }
    let mut broken = contract_errors(sources, &diagnostics);
    let known = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.is_error() && diagnostic.at.is_some());
    if !known && broken.is_empty() {
        return Err(OurFault::ChecksDoNotCompile {
            file: sources.checks_file.to_string(),
            message: first_error(&diagnostics),
        });
    }
    // Stable: within each group, rustc's order is the order to mend things in.
    diagnostics.sort_by_key(|diagnostic| {
        (
            !diagnostic.is_error(),
            !is_primary(diagnostic, sources.subject_file),
        )
    });
    let own_errors = diagnostics
        .iter()
        .take_while(|diagnostic| {
            diagnostic.is_error() && is_primary(diagnostic, sources.subject_file)
        })
        .count();
    let mendable = own_errors + broken.len();
    diagnostics.splice(own_errors..own_errors, broken.drain(..));
    // Errors in the checks, which the learner cannot see, mostly say the same once more.
    if mendable > 0 {
        let mut errors = 0;
        diagnostics.retain(|diagnostic| {
            errors += usize::from(diagnostic.is_error());
            !diagnostic.is_error() || errors <= mendable
        });
    }
    let mut at: Vec<Place> = Vec::new();
    for place in diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .filter_map(|d| d.at.as_ref())
    {
        if !at.contains(place) {
            at.push(place.clone());
        }
    }
    let message = first_error(&diagnostics);
    Ok(RefusedBuild {
        diagnostics,
        at,
        message,
    })
}

impl Diagnostic {
    pub(super) fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    error.map_or("rustc gave no reason".to_string(), |error| {
        error.message.clone()
    })
}

/// A sentence for each item that the checks use, that the subject lost or changed, and that an error outside the
/// subject's file is about.
fn contract_errors(sources: &Sources<'_>, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let foreign: Vec<&Diagnostic> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error() && !is_primary(diagnostic, sources.subject_file))
        .collect();
    let Some(shipped) = sources.shipped.filter(|_| !foreign.is_empty()) else {
        return Vec::new();
    };
    let used = |item: &Broken| has_word(sources.checks, &item.name);
    let blamed = |item: &&Broken| {
        foreign.iter().any(|error| {
            has_word(&error.message, &item.name) || has_word(&error.rendered, &item.name)
        })
    };
    let items: Vec<Broken> = broken(shipped, sources.subject)
        .into_iter()
        .filter(used)
        .collect();
    let explained: Vec<&Broken> = items.iter().filter(blamed).collect();
    let anywhere = foreign.iter().any(|error| error.at.is_some());
    let items = if explained.is_empty() && !anywhere {
        items.iter().collect()
    } else {
        explained
    };
    items
        .into_iter()
        .map(|item| sentence(sources.subject_file, item))
        .collect()
}

fn sentence(subject_file: &str, item: &Broken) -> Diagnostic {
    let message = format!("the checks need `{}`; keep its signature", item.signature);
    let at = item.line.map(|line| Place {
        file: subject_file.to_string(),
        line,
        column: None,
        what: item.name.clone(),
    });
    let place = at.as_ref().map_or(subject_file.to_string(), |at| {
        format!("{}:{}", at.file, at.line)
    });
    let rendered = format!("error: {message}\n  --> {place}\n");
    Diagnostic {
        level: "error".to_string(),
        code: None,
        message,
        rendered,
        at,
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|found| found == word)
}

/// Whether rustc's own place, the first arrow, is in the file.
fn is_primary(diagnostic: &Diagnostic, file: &str) -> bool {
    match diagnostic.rendered.split_once("-->") {
        Some((_, rest)) => {
            let line = rest.lines().next().unwrap_or_default();
            line.contains(&format!("{file}:"))
        }
        None => diagnostic.at.is_some(),
    }
}

/// The first `file:line:column` of the file in rendered text: a note's, where the error itself is elsewhere.
fn mentioned(rendered: &str, file: &str) -> Option<Place> {
    let prefix = format!("{file}:");
    let (_, rest) = rendered.split_once(&prefix)?;
    let mut numbers = rest
        .split(|c: char| !c.is_ascii_digit())
        .map(|digits| digits.parse().ok());
    let line = numbers.next()??;
    Some(Place {
        file: file.to_string(),
        line,
        column: numbers.next().flatten(),
        what: String::new(),
    })
}
