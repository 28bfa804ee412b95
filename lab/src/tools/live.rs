//! Bounded memory without looking at bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[derive(Debug, Default)]
struct Count {
    now: AtomicUsize,
    peak: AtomicUsize,
}

/// Counts the [`LiveToken`] payloads that exist. Put one into each fake event, row or connection, and look at
/// [`peak`](Live::peak): a bounded channel of 64 shows 64 + one a producer, an unbounded one shows them all.
///
/// Determinism: D0.
#[derive(Debug, Clone, Default)]
pub struct Live {
    count: Arc<Count>,
}

/// A payload that is counted from its making to its drop. A clone counts as one more.
#[derive(Debug)]
pub struct LiveToken {
    count: Arc<Count>,
}

impl Live {
    #[must_use]
    pub fn new() -> Live {
        Live::default()
    }

    #[must_use]
    pub fn token(&self) -> LiveToken {
        let now = self.count.now.fetch_add(1, SeqCst) + 1;
        self.count.peak.fetch_max(now, SeqCst);
        LiveToken {
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

impl Clone for LiveToken {
    fn clone(&self) -> LiveToken {
        Live {
            count: Arc::clone(&self.count),
        }
        .token()
    }
}

impl Drop for LiveToken {
    fn drop(&mut self) {
        self.count.now.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_counts_until_it_is_dropped() {
        let counter = Live::new();
        let one = counter.token();
        let two = one.clone();
        drop(one);
        assert_eq!((counter.now(), counter.peak()), (1, 2));
        drop(two);
        assert_eq!((counter.now(), counter.peak()), (0, 2));
    }

    #[test]
    fn an_unbounded_channel_shows_all_its_events_and_a_bounded_one_its_bound() {
        let counter = Live::new();
        #[expect(
            clippy::disallowed_methods,
            reason = "the fault that `Live` is there to show"
        )]
        let (unbounded, _keep) = tokio::sync::mpsc::unbounded_channel();
        (0..1000).for_each(|_| unbounded.send(counter.token()).unwrap());
        assert_eq!(counter.peak(), 1000);

        let counter = Live::new();
        let (bounded, _keep) = tokio::sync::mpsc::channel(64);
        (0..1000).for_each(|_| drop(bounded.try_send(counter.token())));
        assert_eq!(counter.peak(), 65);
    }
}
