//! Which line of the learner's file called: captured as instruction pointers (cheap), resolved when needed.

use std::path::Path;
use std::sync::Mutex;

use crate::record::Place;
use crate::startup;

mod frames;
mod readable;

pub(crate) use frames::{Frame, resolve};

/// Deeper than any honest call stack of an exercise; a runaway recursion is cut.
pub(crate) const DEEPEST: usize = 192;

/// Where a call came from. Fakes take one with [`Trail::here`] and give it to `Failure::at`.
#[derive(Debug, Clone)]
pub struct Trail {
    pointers: Box<[usize]>,
}

static LAST: Mutex<Option<Trail>> = Mutex::new(None);

impl Trail {
    /// Remembers the stack as it is now. A failure that names no place of its own uses the latest one.
    ///
    /// Costs some microseconds; nothing is resolved before it is asked for. Determinism: D0.
    #[must_use]
    pub fn here() -> Trail {
        let trail = Trail::capture();
        if let Ok(mut last) = LAST.lock() {
            *last = Some(trail.clone());
        }
        trail
    }

    /// Where a function of the learner's file begins: for a promise that breaks where no fake is called.
    ///
    /// `Trail::of_function(build_runtime as *const ())`. Determinism: D0.
    #[must_use]
    pub fn of_function(function: *const ()) -> Trail {
        // Pointers are return addresses, and looked up one byte before.
        Trail {
            pointers: Box::new([function as usize + 1]),
        }
    }

    pub(crate) fn capture() -> Trail {
        let mut pointers = Vec::with_capacity(64);
        backtrace::trace(|frame| {
            pointers.push(frame.ip() as usize);
            pointers.len() < DEEPEST
        });
        Trail {
            pointers: pointers.into(),
        }
    }

    /// The lines of the learner's file on the way here, innermost first.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        crate::memory::uncapped(|| subject_places(&resolve(&self.pointers)))
    }

    /// As `places`, of a stack taken inside a panic hook: what is above the panic itself is hooks, perhaps also
    /// the learner's.
    pub(crate) fn places_of_panic(&self) -> Vec<Place> {
        const BEGINS: [&str; 4] = [
            "rust_begin_unwind",
            "core::panicking::",
            "std::panicking::begin_panic",
            "std::panic::panic_any",
        ];
        crate::memory::uncapped(|| {
            let frames = resolve(&self.pointers);
            let begins = |frame: &Frame| BEGINS.iter().any(|name| frame.function().contains(name));
            subject_places(&frames[frames.iter().position(begins).unwrap_or(0)..])
        })
    }

    /// The line of the learner's file that made the call.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.places().into_iter().next()
    }
}

/// The latest [`Trail::here`] of any fake.
pub(crate) fn last() -> Option<Trail> {
    // `try_lock`: this is also asked by a thread that ends the process while another one holds the lock.
    LAST.try_lock().ok()?.clone()
}

pub(crate) fn is_subject(file: &Path) -> bool {
    let subject = &startup::settings().subject;
    !subject.as_os_str().is_empty() && file.ends_with(subject)
}

/// `frames` innermost first; so is the answer. What stands at a place is named after the call that leaves it.
pub(crate) fn subject_places(frames: &[Frame]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let Some(mut place) = frame.place().filter(Place::in_subject) else {
            continue;
        };
        // A macro (`select!`, `join!`) makes several frames of one line.
        if places.last().is_some_and(|inner| inner.line == place.line) {
            continue;
        }
        place.what = frames[..index]
            .iter()
            .rev()
            .find_map(Frame::called)
            .unwrap_or_default();
        places.push(place);
    }
    places
}
