//! Bounded concurrency, seen from the fake backend.

use super::live::{Live, LiveToken};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Counts calls in flight. The fake holds a [`GaugePass`] while it works; the check looks at
/// [`peak`](Gauge::peak). Determinism: D0.
#[derive(Debug, Clone, Default)]
pub struct Gauge {
    inside: Live,
    total: Arc<AtomicUsize>,
}

/// In flight until it is dropped, also by a panic or a cancelled call.
#[derive(Debug)]
pub struct GaugePass(#[expect(dead_code, reason = "lives for its drop")] LiveToken);

impl Gauge {
    #[must_use]
    pub fn new() -> Gauge {
        Gauge::default()
    }

    #[must_use]
    pub fn enter(&self) -> GaugePass {
        self.total.fetch_add(1, SeqCst);
        GaugePass(self.inside.token())
    }

    #[must_use]
    pub fn now(&self) -> usize {
        self.inside.now()
    }

    #[must_use]
    pub fn peak(&self) -> usize {
        self.inside.peak()
    }

    /// All that ever entered.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total.load(SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_at_once_peaks_at_all_and_one_by_one_at_one() {
        let crowd = Gauge::new();
        let passes: Vec<_> = (0..100).map(|_| crowd.enter()).collect();
        drop(passes);
        assert_eq!((crowd.now(), crowd.peak(), crowd.total()), (0, 100, 100));

        let queue = Gauge::new();
        (0..100).for_each(|_| drop(queue.enter()));
        assert_eq!((queue.peak(), queue.total()), (1, 100));
    }
}
