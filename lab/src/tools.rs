//! Fakes, meeting points and counters. Each says what a right use looks like, what it decides, and its
//! determinism class: D0 no wall clock; D1 threads that meet, only a wrong fix waits.

mod cancel_sweep;
mod gate;
mod gauge;
mod lane;
mod live;
mod meet;
pub(crate) mod patience;
mod poll_by_hand;
pub(crate) mod poll_log;
mod random;
mod rec_sub;
pub(crate) mod side_thread;
mod spawnable;
mod watched;

pub use cancel_sweep::{Cut, cancel_sweep};
pub use gate::{Canary, Gate};
pub use gauge::{Gauge, GaugePass};
pub use lane::{Lane, one_lane};
pub use live::{Live, LiveToken};
pub use meet::Meet;
pub use patience::Patience;
pub use poll_by_hand::{CountingWaker, poll_once};
pub use poll_log::{PollLog, TaskPolls};
pub use random::{Number, Random, random};
pub use rec_sub::{RecSub, Said};
pub use side_thread::side_thread;
pub use spawnable::{assert_send, assert_sync, spawnable};
pub use watched::{WatchState, Watched, watched};

/// Stands behind the watchdog, which ends a wrong wait after about a second. A right one that starves must not reach it.
pub(crate) const RESCUE: std::time::Duration = std::time::Duration::from_secs(20);
