//! How long to wait for what a wrong fix never does: as long as anything moves.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::hang::system;

/// Looks at which every other thread must be asleep, one a [`Patience::LOOK`]. The watchdog is awake at some.
const LOOKS: u32 = 25;
/// Where the system does not tell what threads do.
const LOOKS_IN_THE_DARK: u32 = 250;

/// Looks of every patience so far.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// While this grows, somebody waits who will end it: to the watchdog that looks like a doze without end.
pub(crate) fn looks_taken() -> u64 {
    TAKEN.load(Relaxed)
}

/// Bounds a check's wait for another thread without a limit in time: a thread that is starved is not asleep, so a
/// right fix on a busy machine is waited for, and a wrong one for half a second.
///
/// ```ignore
/// let mut patience = lab::Patience::new();
/// while !met() && !patience.is_over() {
///     changed.wait_timeout(inside, lab::Patience::LOOK);
/// }
/// ```
///
/// Determinism: D1.
#[derive(Debug, Default)]
pub struct Patience {
    looks: u32,
}

impl Patience {
    /// Wait so long between two looks: it keeps the watchdog from calling the wait a hang.
    pub const LOOK: Duration = Duration::from_millis(20);

    #[must_use]
    pub fn new() -> Patience {
        Patience::default()
    }

    /// Looks once. True when nothing moved at so many looks that nothing will.
    pub fn is_over(&mut self) -> bool {
        TAKEN.fetch_add(1, Relaxed);
        if system::thread_ids().is_empty() {
            self.looks += 1;
            return self.looks > LOOKS_IN_THE_DARK;
        }
        let others = crate::memory::uncapped(|| system::sample(&[]));
        let asleep = others.iter().all(|thread| thread.asleep);
        self.looks += u32::from(asleep);
        self.looks > LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_does_not_end_while_somebody_runs() {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        if system::thread_ids().is_empty() {
            return;
        }
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
            let mut patience = Patience::new();
            let over = (0..4 * LOOKS).any(|_| patience.is_over());
            done.store(true, Relaxed);
            assert!(!over);
        });
    }
}
