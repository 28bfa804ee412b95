//! Random ids and amounts, the same for the same seed: no check can be passed by a hard-coded answer.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A stream of random values, seeded by the runner; a failure prints the seed. Streams of one check differ, in the
/// order in which they are asked for. Determinism: D0.
#[must_use]
pub fn random() -> Random {
    static STREAMS: AtomicU64 = AtomicU64::new(0);
    let stream = STREAMS.fetch_add(1, Relaxed);
    Random::seeded(
        crate::startup::settings()
            .seed
            .wrapping_add(stream.wrapping_mul(0xA076_1D64_78BD_642F)),
    )
}

/// SplitMix64: small, fast, and good enough to be unpredictable to an exercise.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    #[must_use]
    pub fn seeded(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Panics on an empty range.
    pub fn range<N: Number>(&mut self, range: Range<N>) -> N {
        let (from, to) = (range.start.widen(), range.end.widen());
        assert!(from < to, "an empty range has no random value");
        let span = u128::try_from(to - from).unwrap_or(u128::MAX);
        let offset = u128::from(self.u64()) % span;
        N::narrow(from + i128::try_from(offset).unwrap_or(0))
    }

    pub fn coin(&mut self) -> bool {
        self.u64() & 1 == 1
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.range(0..last + 1));
        }
    }

    /// Panics on an empty slice.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.range(0..items.len())]
    }
}

/// Integers that [`Random::range`] can give.
pub trait Number: Copy {
    #[doc(hidden)]
    fn widen(self) -> i128;
    #[doc(hidden)]
    fn narrow(wide: i128) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn widen(self) -> i128 {
                self as i128
            }
            fn narrow(wide: i128) -> Self {
                wide as Self
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_stream() {
        let stream = |seed| {
            let mut random = Random::seeded(seed);
            [random.u64(), random.u64()]
        };
        assert_eq!(stream(7), stream(7));
        assert_ne!(stream(7), stream(8));
    }

    #[test]
    fn values_stay_in_their_range_and_a_shuffle_loses_nothing() {
        let mut random = Random::seeded(1);
        assert!((0..1000).all(|_| (-3..4).contains(&random.range(-3i64..4))));
        let mut items: Vec<usize> = (0..50).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
        assert!(items.contains(random.pick(&items)));
    }
}
