//! A total that two jobs add to in two steps, and all the orders in which they can do it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

// ANCHOR: fault
/// Two steps. Each is atomic; together they are not.
pub fn add(total: &AtomicU64, work: impl FnOnce() -> u64) {
    let so_far = total.load(SeqCst);
    let bytes = work();
    total.store(so_far + bytes, SeqCst);
}
// ANCHOR_END: fault

// ANCHOR: orders
/// Which of two jobs takes the next step: every order of two loads and two stores.
const ORDERS: [[usize; 4]; 6] = [
    [0, 0, 1, 1],
    [0, 1, 0, 1],
    [0, 1, 1, 0],
    [1, 0, 0, 1],
    [1, 0, 1, 0],
    [1, 1, 0, 0],
];

/// All totals that can come out, each step being whole and in order: more than `SeqCst` no ordering gives.
pub fn possible_totals(bytes: [u64; 2]) -> BTreeSet<u64> {
    let play = |order: &[usize; 4]| {
        let (mut total, mut so_far) = (0, [None; 2]);
        for &job in order {
            match so_far[job] {
                None => so_far[job] = Some(total),
                Some(loaded) => total = loaded + bytes[job],
            }
        }
        total
    };
    ORDERS.iter().map(play).collect()
}

#[test]
fn two_of_three_totals_forget_a_picture() {
    assert_eq!(possible_totals([10, 32]), BTreeSet::from([10, 32, 42]));
}
// ANCHOR_END: orders

// ANCHOR: nanoseconds
/// The work is out of the gap, and the gap is still there: nanoseconds instead of a second.
pub fn add_quickly(total: &AtomicU64, work: impl FnOnce() -> u64) {
    let bytes = work();
    let so_far = total.load(SeqCst);
    total.store(so_far + bytes, SeqCst);
}
// ANCHOR_END: nanoseconds

#[test]
fn one_at_a_time_both_are_right() {
    let total = AtomicU64::new(0);
    add(&total, || 10);
    add_quickly(&total, || 32);
    assert_eq!(total.into_inner(), 42);
}

#[test]
fn a_job_that_adds_meanwhile_is_forgotten() {
    let total = AtomicU64::new(0);
    add(&total, || {
        add(&total, || 10);
        32
    });
    assert_eq!(total.into_inner(), 32);
}
