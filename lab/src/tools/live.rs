//! Bounded memory without looking at bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[derive(Debug, Default)]
struct Count {
    now: AtomicUsize,
    peak: AtomicUsize,
}

/// Counts the [`Live`] payloads that exist. Put one into each fake event, row or connection, and look at
/// [`peak`](LiveCounter::peak): a bounded channel of 64 shows 64 + one a producer, an unbounded one shows them all.
///
/// Determinism: D0.
#[derive(Debug, Clone, Default)]
pub struct LiveCounter {
    count: Arc<Count>,
}

/// A payload that is counted from its making to its drop. A clone counts as one more.
#[derive(Debug)]
pub struct Live {
    count: Arc<Count>,
}

impl LiveCounter {
    #[must_use]
    pub fn new() -> LiveCounter {
        LiveCounter::default()
    }

    #[must_use]
    pub fn one(&self) -> Live {
        let now = self.count.now.fetch_add(1, SeqCst) + 1;
        self.count.peak.fetch_max(now, SeqCst);
        Live {
            count: Arc::clone(&self.count),
        }
    }

    #[must_use]
    pub fn now(&self) -> usize {
        self.count.now.load(SeqCst)
    }

    /// The most that existed at once.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.count.peak.load(SeqCst)
    }
}

impl Clone for Live {
    fn clone(&self) -> Live {
        LiveCounter {
            count: Arc::clone(&self.count),
        }
        .one()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.count.now.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_counts_until_it_is_dropped() {
        let counter = LiveCounter::new();
        let one = counter.one();
        let two = one.clone();
        drop(one);
        assert_eq!((counter.now(), counter.peak()), (1, 2));
        drop(two);
        assert_eq!((counter.now(), counter.peak()), (0, 2));
    }

    #[test]
    fn an_unbounded_channel_shows_all_its_events_and_a_bounded_one_its_bound() {
        let counter = LiveCounter::new();
        let (unbounded, _keep) = tokio::sync::mpsc::unbounded_channel();
        (0..1000).for_each(|_| unbounded.send(counter.one()).unwrap());
        assert_eq!(counter.peak(), 1000);

        let counter = LiveCounter::new();
        let (bounded, _keep) = tokio::sync::mpsc::channel(64);
        (0..1000).for_each(|_| drop(bounded.try_send(counter.one())));
        assert_eq!(counter.peak(), 65);
    }
}
