//! File work step by step: one thread in the blocking pool, held by the check.

use std::future::Future;

use tokio::task::{JoinHandle, spawn_blocking};

use super::gate::Gate;
use crate::Setup;

/// Runs the body on a current-thread runtime whose only blocking thread is held: nothing that `tokio::fs` or
/// `spawn_blocking` is asked for happens before [`Lane::run_queued`] or [`Lane::release`].
///
/// Decides claims like "is not ready before the bytes are in the file". Determinism: D1, without any wait.
pub fn one_lane<F: Future<Output = ()>>(body: impl FnOnce(Lane) -> F) {
    Setup::real_time()
        .max_blocking_threads(1)
        .run(|| async { body(Lane::hold().await).await });
}

/// The held lane. Dropping it releases it.
#[derive(Debug)]
pub struct Lane {
    gate: Gate,
    holder: JoinHandle<bool>,
}

impl Lane {
    async fn hold() -> Lane {
        let lane = Lane::queue();
        lane.gate.entered().await;
        lane
    }

    fn queue() -> Lane {
        let gate = Gate::new();
        let held = gate.clone();
        Lane {
            gate,
            holder: spawn_blocking(move || held.wait()),
        }
    }

    /// Lets everything run that is queued by now, and holds the lane again.
    pub async fn run_queued(&mut self) {
        // The pool is a queue: the next holder comes after what is there already.
        let next = Lane::queue();
        let before = std::mem::replace(self, next);
        before.release().await;
        self.gate.entered().await;
    }

    pub async fn release(mut self) {
        self.gate.open();
        let _ = (&mut self.holder).await;
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.gate.open();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_runs_in_a_held_lane_until_it_is_let() {
        one_lane(|mut lane| async move {
            let job = spawn_blocking(|| 7);
            tokio::task::yield_now().await;
            assert!(!job.is_finished());
            lane.run_queued().await;
            assert_eq!(job.await.unwrap(), 7);
            let later = spawn_blocking(|| 8);
            tokio::task::yield_now().await;
            assert!(!later.is_finished());
            lane.release().await;
            assert_eq!(later.await.unwrap(), 8);
        });
    }
}
