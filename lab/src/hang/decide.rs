//! From samples of all threads to a suspicion. Pure: no clock, no system. Counts samples, never seconds: on a
//! starved machine the watchdog starves with the rest, and only gets slower.

use std::collections::HashMap;
use std::time::Duration;

/// One thread at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ThreadSample {
    pub(crate) id: u32,
    /// Sleeps in the kernel until an event: neither running, nor ready to run, nor waiting for a disk.
    pub(crate) asleep: bool,
    /// Processor time so far.
    pub(crate) cpu: Duration,
    /// How often the runtime parked it; 0 for a thread that no runtime of the lab drives.
    pub(crate) parks: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    /// Nothing moves.
    AllAsleep,
    /// Things move, but only ever for an instant: a loop around a short sleep.
    Dozing,
    /// This thread computes and never parks.
    Spinning(u32),
}

/// About a second, at the watchdog's pace.
const QUIET: u32 = 20;
const DOZING_IN_A_POLL: u32 = 40;
const DOZING: u32 = 100;
/// Of one thread that never parks or sleeps. A check computes for less than a tenth of a second.
const SPIN: Duration = Duration::from_secs(2);
/// Of the whole check, parked between or not.
const SPIN_IN_ALL: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub(crate) struct Watch {
    before: Vec<ThreadSample>,
    quiet: u32,
    dozing: u32,
    dozing_in_a_poll: u32,
    /// Processor time and parks of each thread when it last waited.
    waited: HashMap<u32, (Duration, u64)>,
    at_first: Option<Duration>,
}

impl Watch {
    /// `samples` are in a stable order.
    pub(crate) fn step(&mut self, samples: &[ThreadSample]) -> Option<Suspicion> {
        let all_asleep = samples.iter().all(|thread| thread.asleep);
        count(&mut self.quiet, all_asleep && self.before == samples);
        leak(&mut self.dozing, all_asleep);
        leak(&mut self.dozing_in_a_poll, all_asleep);
        if parks(&self.before) != parks(samples) {
            self.dozing_in_a_poll = 0;
        }
        let spinning = self.spinning(samples);
        self.before.clear();
        self.before.extend_from_slice(samples);
        if self.quiet >= QUIET {
            Some(Suspicion::AllAsleep)
        } else if self.dozing_in_a_poll >= DOZING_IN_A_POLL || self.dozing >= DOZING {
            Some(Suspicion::Dozing)
        } else {
            spinning
        }
    }

    /// The suspicion was wrong.
    pub(crate) fn calm(&mut self) {
        *self = Watch {
            at_first: self.at_first,
            ..Watch::default()
        };
    }

    fn spinning(&mut self, samples: &[ThreadSample]) -> Option<Suspicion> {
        let total = samples.iter().map(|thread| thread.cpu).sum::<Duration>();
        let in_all = total.saturating_sub(*self.at_first.get_or_insert(total));
        for thread in samples {
            let waited = self
                .waited
                .entry(thread.id)
                .or_insert((thread.cpu, thread.parks));
            if thread.parks != waited.1 || (thread.asleep && thread.parks == 0) {
                *waited = (thread.cpu, thread.parks);
            }
            if thread.cpu.saturating_sub(waited.0) >= SPIN {
                return Some(Suspicion::Spinning(thread.id));
            }
        }
        let busiest = samples.iter().max_by_key(|thread| thread.cpu)?;
        (in_all >= SPIN_IN_ALL).then_some(Suspicion::Spinning(busiest.id))
    }
}

fn count(counter: &mut u32, goes_on: bool) {
    *counter = if goes_on { *counter + 1 } else { 0 };
}

/// A loop around a short sleep is awake at some looks; work is awake at most.
fn leak(counter: &mut u32, asleep: bool) {
    *counter = if asleep {
        *counter + 1
    } else {
        counter.saturating_sub(1)
    };
}

fn parks(samples: &[ThreadSample]) -> u64 {
    samples.iter().map(|thread| thread.parks).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(asleep: bool, millis: u64, parks: u64) -> ThreadSample {
        ThreadSample {
            id: 1,
            asleep,
            cpu: Duration::from_millis(millis),
            parks,
        }
    }

    fn steps(samples: impl IntoIterator<Item = ThreadSample>) -> Option<Suspicion> {
        let mut watch = Watch::default();
        samples.into_iter().find_map(|sample| watch.step(&[sample]))
    }

    #[test]
    fn a_thread_that_sleeps_and_uses_nothing_is_suspected() {
        assert_eq!(
            steps((0..25).map(|_| thread(true, 7, 0))),
            Some(Suspicion::AllAsleep)
        );
    }

    #[test]
    fn a_starved_thread_is_ready_to_run_and_never_suspected() {
        assert_eq!(steps((0..10_000).map(|_| thread(false, 7, 0))), None);
    }

    #[test]
    fn work_with_short_waits_in_between_is_never_suspected() {
        assert_eq!(
            steps((0..1000u64).map(|n| thread(n.is_multiple_of(3), 7, 0))),
            None
        );
    }

    #[test]
    fn processor_time_without_parking_is_a_spin_and_with_parking_is_work() {
        let spin = steps((0..100u64).map(|n| thread(false, n * 25, 3)));
        assert_eq!(spin, Some(Suspicion::Spinning(1)));
        assert_eq!(steps((0..100u64).map(|n| thread(false, n * 25, n))), None);
    }

    #[test]
    fn much_more_work_than_any_check_needs_is_a_spin() {
        assert_eq!(
            steps((0..100u64).map(|n| thread(false, n * 45, n))),
            Some(Suspicion::Spinning(1))
        );
    }

    #[test]
    fn a_loop_around_a_short_sleep_is_suspected_at_last() {
        assert_eq!(
            steps((0..100u64).map(|n| thread(true, n, 0))),
            Some(Suspicion::Dozing)
        );
        assert_eq!(
            steps((0..200u64).map(|n| thread(true, n, n))),
            Some(Suspicion::Dozing)
        );
    }
}
