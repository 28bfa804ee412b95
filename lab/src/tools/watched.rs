//! A future around a fake's work that knows how it ended.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use crate::Trail;
use crate::session::lock;

/// Wraps a fake's future: knows its polls, whether it completed or was dropped half-way, and where the drop
/// happened: the learner's `select!` or `timeout`. Determinism: D0.
pub fn watched<F: Future>(name: impl Into<String>, future: F) -> Watched<F> {
    let state = WatchState {
        name: name.into(),
        ..WatchState::default()
    };
    Watched {
        future: Box::pin(future),
        state: Arc::new(state),
    }
}

/// See [`watched`].
#[derive(Debug)]
pub struct Watched<F> {
    future: Pin<Box<F>>,
    state: Arc<WatchState>,
}

/// What became of a [`Watched`] future; share it with the check before the future is given away.
#[derive(Debug, Default)]
pub struct WatchState {
    name: String,
    polls: AtomicUsize,
    completed: AtomicBool,
    dropped: Mutex<Option<Trail>>,
}

impl<F> Watched<F> {
    #[must_use]
    pub fn state(&self) -> Arc<WatchState> {
        Arc::clone(&self.state)
    }
}

impl WatchState {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn polls(&self) -> usize {
        self.polls.load(SeqCst)
    }

    #[must_use]
    pub fn completed(&self) -> bool {
        self.completed.load(SeqCst)
    }

    /// Polled at least once, then dropped before it was done.
    #[must_use]
    pub fn dropped_half_way(&self) -> bool {
        self.dropped_at().is_some()
    }

    /// Where it was dropped half-way.
    #[must_use]
    pub fn dropped_at(&self) -> Option<Trail> {
        lock(&self.dropped).clone()
    }
}

impl<F: Future> Future for Watched<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.state.polls.fetch_add(1, SeqCst);
        let result = self.future.as_mut().poll(context);
        if result.is_ready() {
            self.state.completed.store(true, SeqCst);
        }
        result
    }
}

impl<F> Drop for Watched<F> {
    fn drop(&mut self) {
        if self.state.polls() > 0 && !self.state.completed() {
            *lock(&self.state.dropped) = Some(Trail::here());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_future_that_completes_was_not_dropped_half_way() {
        crate::paused(|| async {
            let work = watched("work", tokio::task::yield_now());
            let state = work.state();
            work.await;
            assert_eq!(
                (state.polls(), state.completed(), state.dropped_half_way()),
                (2, true, false)
            );
        });
    }

    #[test]
    fn a_timeout_drops_half_way_and_an_unpolled_future_was_never_begun() {
        crate::paused(|| async {
            let work = watched("del", std::future::pending::<()>());
            let state = work.state();
            assert!(
                tokio::time::timeout(Duration::from_secs(2), work)
                    .await
                    .is_err()
            );
            assert!(!state.completed());
            let unpolled = watched("never", std::future::pending::<()>());
            let never = unpolled.state();
            drop(unpolled);
            assert!(!never.dropped_half_way());
        });
    }
}
