//! The lab of asynclings: what hidden checks are written with. It observes and limits a learner's Tokio code.
//!
//! In reading order:
//!
//! - [`setup`]: the one door for a check's body: [`paused`], [`workers`], [`real_time`], [`plain`], [`Setup`]
//! - [`failure`]: how a check says no: [`fail`], [`expect`], [`expect_eq`]
//! - [`tools`]: fakes, meeting points and counters: [`Gate`], [`Meet`], [`Live`], [`watched`], [`cancel_sweep`] ...
//! - [`incident`]: an exercise's scenario under load, measured: [`incident::Incident`]
//! - [`trail`]: which line of the learner's file called; [`panics`]: what panicked, and who saw it
//! - inside: `hang` (who is stuck, where), `memory` (the counting allocator), `leftovers`, `record`, `startup`
#![doc = include_str!("writing_checks.md")]
// `tokio_unstable` is set for the cache's dylib only; as a workspace member the lab runs on stable Tokio.
#![allow(unexpected_cfgs)]

// What an exercise may use is contained in, and linked from, this one library.
pub use {
    anyhow, bytes, futures, thiserror, tokio, tokio_stream, tokio_util, tracing, tracing_subscriber,
};

mod ending;
pub mod failure;
mod hang;
pub mod incident;
mod leftovers;
mod memory;
pub mod panics;
#[cfg(test)]
mod proofs;
mod record;
mod session;
pub mod setup;
mod startup;
pub mod tools;
pub mod trail;

pub use failure::{Failure, expect, expect_eq, fail};
pub use memory::heap::Heap;
pub use panics::{PanicSeen, Panics};
pub use record::Place;
pub use setup::{Setup, paused, plain, real_time, workers};
pub use tools::*;
pub use trail::Trail;
