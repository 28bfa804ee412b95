//! A class, counted by exercise: which one stops most.

use std::collections::HashMap;

use super::tame::tame_line;
use super::{Cell, Class, State};
use crate::core::manifest::VerdictKind;

/// What a column's cells come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub passed: usize,
    /// Begun, and not passed.
    pub stopped: usize,
    pub untouched: usize,
    /// Skipped, broken or elsewhere.
    pub unknown: usize,
    /// The verdict that most of those who are stopped have; of two that are as frequent, the first of `VerdictKind::ALL`.
    pub mostly: Option<VerdictKind>,
}

impl Class {
    /// One a column.
    pub fn tallies(&self) -> Vec<Tally> {
        (0..self.columns.len()).map(|at| self.tally(at)).collect()
    }

    /// Columns by how many are stopped there, most first; those that stop nobody are not among them.
    pub fn stopping(&self) -> Vec<(usize, Tally)> {
        let mut found: Vec<_> = self.tallies().into_iter().enumerate().collect();
        found.retain(|(_, tally)| tally.stopped > 0);
        // Stable: of equals, the one that comes first on the path.
        found.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.stopped));
        found
    }

    /// Why cells have no verdict: each sentence once, fit to be shown, with how often it is said. A learner's problem is said
    /// once for all their cells.
    pub fn problems(&self) -> Vec<(String, usize)> {
        let mut found: Vec<(String, usize)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for learner in &self.learners {
            let whole = learner.problem.as_deref();
            let cells = learner.cells.iter().filter_map(|cell| match cell {
                Cell::Broken(why) => Some(why.as_str()),
                _ => None,
            });
            for why in whole.into_iter().chain(cells.filter(|_| whole.is_none())) {
                let why = tame_line(why);
                let place = *places.entry(why.clone()).or_insert(found.len());
                match found.get_mut(place) {
                    Some((_, count)) => *count += 1,
                    None => found.push((why, 1)),
                }
            }
        }
        found
    }

    fn tally(&self, at: usize) -> Tally {
        let mut tally = Tally::default();
        let mut verdicts: HashMap<VerdictKind, usize> = HashMap::new();
        for cell in self.learners.iter().filter_map(|l| l.cells.get(at)) {
            match cell.state() {
                State::Passed => tally.passed += 1,
                State::Failed(verdict) => {
                    tally.stopped += 1;
                    *verdicts.entry(verdict).or_default() += 1;
                }
                State::Untouched => tally.untouched += 1,
                State::Skipped | State::Broken | State::Elsewhere => tally.unknown += 1,
            }
        }
        let frequency = |kind: &VerdictKind| verdicts.get(kind).copied().unwrap_or(0);
        let kinds = VerdictKind::ALL.into_iter().rev();
        tally.mostly = kinds
            .filter(|kind| frequency(kind) > 0)
            .max_by_key(frequency);
        tally
    }
}
