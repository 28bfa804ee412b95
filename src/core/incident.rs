//! Incidents: what a scenario's records say, as figures that can be compared, and as rows of a timeline.

mod figures;
mod rows;

use super::record::{Place, Record};
use super::verdict::Judged;

pub use figures::{Figures, Row, Word, rows};
pub use rows::{Lane, Segment, Shape, lanes};

/// One subject's turn in an incident.
#[derive(Debug, Clone)]
pub struct Turn {
    /// `as shipped`, `yours`, `solution`, or what the manifest calls it.
    pub title: String,
    /// As in JSON: `shipped`, `exercise`, `solution`, `right/x`.
    pub subject: String,
    pub judged: Judged,
    /// Each message once, with its line of the subject's if there is one. Of the run that nobody watched.
    pub panics: Vec<(String, Option<Place>)>,
    /// Of the run that nobody watched. `None`: it did not come so far.
    pub figures: Option<Figures>,
    /// Of the observed run.
    pub observed: Option<Observed>,
}

/// What the hooks saw.
#[derive(Debug, Clone)]
pub struct Observed {
    pub timeline: super::record::Timeline,
    /// Requests a second with the hooks; against the figures it says what observing costs.
    pub per_second: Option<f64>,
    /// Requests that were answered meanwhile.
    pub answered: u64,
}

impl Observed {
    /// `None` where the process ended before anything was written.
    pub fn of(records: &[Record]) -> Option<Observed> {
        let timeline = records.iter().find_map(|record| match record {
            Record::Timeline(timeline) => Some(timeline.clone()),
            _ => None,
        })?;
        let figures = Figures::of(records);
        Some(Observed {
            timeline,
            per_second: figures.as_ref().and_then(|figures| figures.per_second),
            answered: figures.map_or(0, |figures| figures.answered),
        })
    }

    pub fn polls_a_request(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.timeline.all_polls as f64 / self.answered as f64)
    }
}

/// Panics that did not end the scenario, each message once.
pub fn panics(records: &[Record], subject_file: &str) -> Vec<(String, Option<Place>)> {
    let mut panics: Vec<(String, Option<Place>)> = Vec::new();
    for record in records {
        if let Record::Panicked {
            message,
            origin,
            spawned,
            at,
            ..
        } = record
            && !panics.iter().any(|(known, _)| known == message)
        {
            let mut places = origin.iter().chain(at).chain(spawned);
            let place = places.find(|place| place.file == subject_file).cloned();
            panics.push((message.clone(), place));
        }
    }
    panics
}

/// The words at the top of a scenario's file: what happens in it.
pub fn story(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Variants that are measured as well: `// also: right/full_is_an_answer, answers Full` names one, and its title.
pub fn also(source: &str) -> Vec<(String, String)> {
    let named = source
        .lines()
        .filter_map(|line| line.strip_prefix("// also: "));
    let named = named.filter_map(|line| line.split_once(", "));
    named
        .map(|(subject, title)| (subject.trim().to_owned(), title.trim().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests;
