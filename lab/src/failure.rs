//! How a check says no. A message is a sentence: what a customer would have seen, and which promise broke.

use std::fmt::{Debug, Display};

use serde_json::json;

use crate::record::Place;
use crate::{Trail, ending, panics, record, startup, trail};

/// A broken promise, not yet raised.
#[derive(Debug)]
#[must_use = "a failure that is not raised does not fail the check"]
pub struct Failure {
    message: String,
    expected: Option<String>,
    seen: Option<String>,
    at: Vec<Place>,
}

/// Begins a failure: `lab::fail("the lock was never released").expected(1).seen(0).at(&trail).raise()`.
pub fn fail(message: impl Into<String>) -> Failure {
    Failure {
        message: message.into(),
        expected: None,
        seen: None,
        at: Vec::new(),
    }
}

/// Raises a failure with this message unless `promise` holds.
pub fn expect(promise: bool, message: impl Into<String>) {
    if !promise {
        fail(message).raise();
    }
}

/// Raises a failure unless both are equal; the record says both. `what` names the thing: "receipts sent".
pub fn expect_eq<S: Debug + PartialEq<E>, E: Debug>(seen: S, expected: E, what: impl Into<String>) {
    if seen != expected {
        fail(what)
            .expected(format!("{expected:?}"))
            .seen(format!("{seen:?}"))
            .raise();
    }
}

impl Failure {
    pub fn expected(mut self, expected: impl Display) -> Failure {
        self.expected = Some(expected.to_string());
        self
    }

    pub fn seen(mut self, seen: impl Display) -> Failure {
        self.seen = Some(seen.to_string());
        self
    }

    /// Names lines of the learner's file, the most telling first. Without it the lab adds what it knows.
    pub fn at(mut self, whereabouts: impl Whereabouts) -> Failure {
        for place in whereabouts.places() {
            if place.in_subject() && !self.at.contains(&place) {
                self.at.push(place);
            }
        }
        self
    }

    /// Ends the check, on whichever thread and however deep in the learner's code: no `catch_unwind`, no
    /// dropped handle can swallow it. Started by hand, it panics.
    pub fn raise(mut self) -> ! {
        crate::memory::uncapped(|| {
            if self.at.is_empty() {
                self.at = likely_places();
            }
            record::write(&json!({
                "record": "failed", "message": self.message, "expected": self.expected,
                "seen": self.seen, "at": record::places(&self.at),
            }));
        });
        let text = self.text();
        if startup::under_the_runner() {
            eprintln!("{text}");
            ending::end(ending::FAILED)
        }
        panic!("{text}")
    }

    fn text(&self) -> String {
        let mut text = self.message.clone();
        if let Some(expected) = &self.expected {
            text += &format!("\n  expected: {expected}");
        }
        if let Some(seen) = &self.seen {
            text += &format!("\n      seen: {seen}");
        }
        text + &format!(
            "\n  (random values of this run: seed {})",
            startup::settings().seed
        )
    }
}

/// A fake that raises has the learner's call on its stack. Else a panic that nobody looked at explains more than the
/// last call that a fake saw.
fn likely_places() -> Vec<Place> {
    let here = Trail::capture().places();
    let last = trail::last()
        .map(|trail| trail.places())
        .unwrap_or_default();
    let mut places: Vec<Place> = Vec::new();
    for place in here
        .into_iter()
        .chain(panics::last_swallowed_places())
        .chain(last)
    {
        if !places.iter().any(|known| known.line == place.line) {
            places.push(place);
        }
    }
    places
}

/// What can name lines of the learner's file: a [`Trail`], a [`Place`], or an option or list of them.
pub trait Whereabouts {
    fn places(&self) -> Vec<Place>;
}

impl Whereabouts for Trail {
    fn places(&self) -> Vec<Place> {
        Trail::places(self)
    }
}

impl Whereabouts for Place {
    fn places(&self) -> Vec<Place> {
        vec![self.clone()]
    }
}

impl<W: Whereabouts + ?Sized> Whereabouts for &W {
    fn places(&self) -> Vec<Place> {
        (**self).places()
    }
}

impl<W: Whereabouts> Whereabouts for Option<W> {
    fn places(&self) -> Vec<Place> {
        self.as_ref().map(Whereabouts::places).unwrap_or_default()
    }
}

impl<W: Whereabouts> Whereabouts for Vec<W> {
    fn places(&self) -> Vec<Place> {
        self.iter().flat_map(Whereabouts::places).collect()
    }
}
