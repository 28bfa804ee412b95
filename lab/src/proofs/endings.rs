//! Memory, panics, failures and leftovers.

use super::subject::*;
use super::{assert_at, prove};
use crate::{Panics, expect_eq, fail, paused, plain, watched};

#[test]
#[cfg(target_os = "linux")]
fn growth_past_the_cap_ends_at_the_growing_line() {
    prove(
        "endings::growth_past_the_cap_ends_at_the_growing_line",
        || plain(fills_memory),
        |run| {
            assert_at(run.record("over_memory"), "grows");
            assert_eq!(run.status, Some(crate::ending::OVER_MEMORY));
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
fn one_huge_reservation_ends_before_it_is_made() {
    let check = || plain(|| assert!(reserves_too_much() > 0));
    prove(
        "endings::one_huge_reservation_ends_before_it_is_made",
        check,
        |run| {
            let over = run.record("over_memory");
            assert_at(over, "reserves");
            assert!(over["peak"].as_u64().unwrap() > 64 << 30);
        },
    );
}

#[test]
fn a_swallowed_panic_is_seen_and_explains_a_failure() {
    let check = || {
        paused(|| async {
            panics_in_a_dropped_task().await;
            expect_eq(Panics::in_tasks().len(), 1, "panics seen");
            fail("a customer got no receipt").raise();
        });
    };
    prove(
        "endings::a_swallowed_panic_is_seen_and_explains_a_failure",
        check,
        |run| {
            assert_eq!(run.record("panicked")["on"], "task");
            assert_at(run.record("panicked"), "lost panic");
            #[cfg(target_os = "linux")]
            assert_at(run.record("failed"), "lost panic");
            assert_eq!(run.status, Some(crate::ending::FAILED));
        },
    );
}

#[test]
fn a_failure_in_a_task_that_nobody_awaits_fails_the_check() {
    let check = || {
        paused(|| async {
            tokio::spawn(async { fail("asked twice").expected(1).seen(2).raise() });
            tokio::task::yield_now().await;
        });
    };
    prove(
        "endings::a_failure_in_a_task_that_nobody_awaits_fails_the_check",
        check,
        |run| {
            let failed = run.record("failed");
            assert_eq!(
                (&failed["expected"], &failed["seen"]),
                (&"1".into(), &"2".into())
            );
            assert!(!run.passed());
        },
    );
}

#[test]
fn a_future_that_a_timeout_dropped_names_the_timeout() {
    let check = || {
        paused(|| async {
            let del = watched("DEL", std::future::pending::<()>());
            let state = del.state();
            gives_up(del).await;
            fail("the lock stays").at(state.dropped_at()).raise();
        });
    };
    prove(
        "endings::a_future_that_a_timeout_dropped_names_the_timeout",
        check,
        |run| {
            assert!(
                run.record("failed")["at"][0]["line"].is_u64(),
                "{:?}",
                run.records
            );
        },
    );
}

#[test]
fn a_task_without_an_end_is_left_running_and_one_that_ends_is_not() {
    let name = "endings::a_task_without_an_end_is_left_running_and_one_that_ends_is_not";
    let check = || {
        paused(leaves_a_short_task);
        paused(leaves_a_task);
    };
    prove(name, check, |run| {
        run.record("finished");
        assert_eq!(run.record("left_running")["what"], "task");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_parked_thread_is_left_running_and_one_that_ends_is_not() {
    let name = "endings::a_parked_thread_is_left_running_and_one_that_ends_is_not";
    let check = || {
        plain(leaves_a_short_thread);
        plain(leaves_a_thread);
    };
    prove(name, check, |run| {
        run.record("finished");
        assert_eq!(run.record("left_running")["what"], "thread");
        assert_at(run.record("left_running"), "parked thread");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_process_is_left_running() {
    prove(
        "endings::a_child_process_is_left_running",
        || plain(leaves_a_child),
        |run| {
            let left = run.record("left_running");
            assert_eq!(
                (&left["what"], &left["detail"]),
                (&"child".into(), &"sleep 1000".into())
            );
        },
    );
}
