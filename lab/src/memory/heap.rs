//! Heap bytes between two points, for checks in which bytes are the story.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

static PEAK_SINCE: AtomicI64 = AtomicI64::new(0);

pub(super) fn saw(live: i64) {
    if live > PEAK_SINCE.load(Relaxed) {
        PEAK_SINCE.fetch_max(live, Relaxed);
    }
}

/// Bytes on the heap since [`Heap::start`], of the whole process: use it where one thing happens at a time,
/// and compare with a wide margin (the runtime allocates too). One at a time: a second start restarts the peak.
///
/// Determinism: D0 for a bound that a right fix stays far below. Prefer [`crate::Live`] where things can be counted.
#[derive(Debug)]
pub struct Heap {
    live_then: i64,
}

impl Heap {
    #[must_use]
    pub fn start() -> Heap {
        let live_then = super::LIVE.load(Relaxed);
        PEAK_SINCE.store(live_then, Relaxed);
        Heap { live_then }
    }

    /// Bytes that were allocated since the start and are still held.
    #[must_use]
    pub fn live(&self) -> u64 {
        u64::try_from(super::LIVE.load(Relaxed) - self.live_then).unwrap_or(0)
    }

    /// The most bytes that were held at once since the start.
    #[must_use]
    pub fn peak(&self) -> u64 {
        u64::try_from(PEAK_SINCE.load(Relaxed) - self.live_then).unwrap_or(0)
    }
}
