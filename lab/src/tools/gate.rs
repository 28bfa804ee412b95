//! A blocking callee that only a sibling task can let go on: proves that the thread is free meanwhile.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::RESCUE;
use crate::Trail;
use crate::session::lock;

#[derive(Debug, Default)]
struct Inside {
    open: bool,
    waiting: usize,
    entered: usize,
    rescued: Option<Trail>,
}

#[derive(Debug, Default)]
struct Shared {
    inside: Mutex<Inside>,
    opened: Condvar,
    somebody_entered: Notify,
}

/// Blocks the *thread* that waits at it, on a std condition variable, until somebody opens it.
///
/// A fake blocking call (a codec, a vendor's SDK) waits at the gate; a [`Canary`] on the same runtime opens it. A
/// right fix (`spawn_blocking`) takes milliseconds. A wrong one (inline, `tokio::spawn`, `thread.join()`) leaves the
/// canary without a turn: the check is then `hung`, `blocked`, at the learner's call, after about a second; the
/// rescue time of twenty seconds stands behind that.
///
/// Determinism: D1. Use it with `real_time` or `workers`.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    shared: Arc<Shared>,
}

impl Gate {
    #[must_use]
    pub fn new() -> Gate {
        Gate::default()
    }

    /// Blocks this thread until the gate is open. False if only the rescue let it go on.
    pub fn wait(&self) -> bool {
        let trail = Trail::here();
        let mut inside = lock(&self.shared.inside);
        inside.waiting += 1;
        inside.entered += 1;
        self.shared.somebody_entered.notify_waiters();
        let give_up = Instant::now() + RESCUE;
        while !inside.open {
            let left = give_up.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                inside.rescued.get_or_insert(trail);
                break;
            }
            inside = self
                .shared
                .opened
                .wait_timeout(inside, left)
                .unwrap_or_else(|poison| poison.into_inner())
                .0;
        }
        inside.waiting -= 1;
        inside.open
    }

    /// For good: whoever comes later does not wait.
    pub fn open(&self) {
        lock(&self.shared.inside).open = true;
        self.shared.opened.notify_all();
    }

    /// Resolves when somebody waits at the gate, or did.
    pub async fn entered(&self) {
        self.entered_by(1).await;
    }

    /// Resolves when the gate was reached `n` times in all.
    pub async fn entered_by(&self, n: usize) {
        loop {
            let next = self.shared.somebody_entered.notified();
            if lock(&self.shared.inside).entered >= n {
                return;
            }
            next.await;
        }
    }

    /// Threads that wait now.
    #[must_use]
    pub fn waiting(&self) -> usize {
        lock(&self.shared.inside).waiting
    }

    /// Who waited in vain, if somebody did: the line of the learner's file that called.
    #[must_use]
    pub fn rescued(&self) -> Option<Trail> {
        lock(&self.shared.inside).rescued.clone()
    }
}

/// The health check beside the work: a task on the same runtime that opens a [`Gate`] once somebody waits there.
///
/// Determinism: D1.
#[derive(Debug)]
pub struct Canary {
    task: JoinHandle<()>,
    gate: Gate,
}

impl Canary {
    /// Must be called on the runtime under check, before the work starts.
    #[must_use]
    pub fn opens(gate: &Gate) -> Canary {
        let gate = gate.clone();
        let watched = gate.clone();
        let task = tokio::spawn(async move {
            watched.entered().await;
            watched.open();
        });
        Canary { task, gate }
    }

    /// Raises a failure unless the canary had its turn: `message` says what a customer saw.
    pub async fn expect_alive(mut self, message: &str) {
        if let Some(trail) = self.gate.rescued() {
            crate::fail(message).at(trail).raise();
        }
        let alive = (&mut self.task).await.is_ok();
        crate::expect(alive, message);
    }
}

impl Drop for Canary {
    /// A canary that nobody asked for must not be taken for a leftover of the learner's.
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_on_the_blocking_pool_leaves_the_canary_its_turn() {
        crate::real_time(|| async {
            let gate = Gate::new();
            let canary = Canary::opens(&gate);
            let work = gate.clone();
            assert!(
                tokio::task::spawn_blocking(move || work.wait())
                    .await
                    .unwrap()
            );
            assert!(gate.rescued().is_none());
            canary.expect_alive("the probe got no answer").await;
        });
    }

    #[test]
    fn an_open_gate_lets_everybody_through() {
        let gate = Gate::new();
        gate.open();
        assert!(gate.wait());
        assert_eq!(gate.waiting(), 0);
    }
}
