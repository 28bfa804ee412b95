//! Where orphans cannot be adopted, one that left its group by `setsid` is out of reach.
//! On Windows the job object holds all of them anyhow.

use std::collections::BTreeSet;

pub(super) fn adopt() {}

pub(super) fn await_death(_: u32) {}

pub(super) fn end(_: &BTreeSet<u32>) {}
