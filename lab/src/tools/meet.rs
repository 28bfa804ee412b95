//! Real overlap, proved: n threads must be inside at once.

use std::sync::{Arc, Condvar, Mutex};

use super::Patience;
use crate::Trail;
use crate::session::lock;

#[derive(Debug, Default)]
struct Inside {
    now: usize,
    round: usize,
}

/// `n` threads meet, then all go on together: forces the lost update of "load, work, store", and proves that work
/// runs at the same time. Determinism: D1; a wrong fix waits until nobody who could still come is awake.
#[derive(Debug, Clone)]
pub struct Meet {
    n: usize,
    inside: Arc<(Mutex<Inside>, Condvar)>,
}

impl Meet {
    #[must_use]
    pub fn new(n: usize) -> Meet {
        Meet {
            n,
            inside: Arc::default(),
        }
    }

    /// Blocks this thread until `n` are here. False if they never were.
    #[must_use]
    pub fn wait(&self) -> bool {
        let _ = Trail::here();
        let (inside, arrived) = &*self.inside;
        let mut inside = lock(inside);
        let round = inside.round;
        inside.now += 1;
        if inside.now == self.n {
            inside.now = 0;
            inside.round += 1;
            arrived.notify_all();
            return true;
        }
        let mut patience = Patience::new();
        while inside.round == round {
            if patience.is_over() {
                inside.now -= 1;
                return false;
            }
            inside = arrived
                .wait_timeout(inside, Patience::LOOK)
                .unwrap_or_else(|poison| poison.into_inner())
                .0;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_overlap_meet() {
        let meet = Meet::new(4);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let meet = meet.clone();
                std::thread::spawn(move || meet.wait())
            })
            .collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    }

    #[test]
    fn one_after_the_other_never_meets() {
        let meet = Meet::new(2);
        assert!(!meet.wait());
        assert!(!meet.wait());
    }
}
