//! Hung or not, and where.

use std::sync::Arc;

use super::subject::*;
use super::{assert_at, prove};
use crate::{Canary, Gate, paused, real_time};

#[test]
fn a_second_lock_hangs_waiting_at_its_line() {
    prove(
        "hangs::a_second_lock_hangs_waiting_at_its_line",
        || paused(locks_twice),
        |run| {
            let hung = run.record("hung");
            assert_eq!(hung["kind"], "waiting");
            assert_at(hung, "second lock");
        },
    );
}

#[test]
fn both_branches_of_a_stuck_join_show() {
    prove(
        "hangs::both_branches_of_a_stuck_join_show",
        || paused(join_of_two),
        |run| {
            let hung = run.record("hung");
            assert_at(hung, "left branch");
            assert_eq!(hung["tasks"].as_array().unwrap().len(), 2, "{hung}");
        },
    );
}

#[test]
fn a_body_that_waits_for_a_stuck_task_hangs() {
    prove(
        "hangs::a_body_that_waits_for_a_stuck_task_hangs",
        || paused(waits_in_a_task),
        |run| {
            assert_at(run.record("hung"), "join");
        },
    );
}

#[test]
fn a_timer_that_fires_in_time_is_no_hang() {
    let check = || paused(|| gives_up(std::future::pending::<()>()));
    prove(
        "hangs::a_timer_that_fires_in_time_is_no_hang",
        check,
        |run| assert!(run.passed(), "{:?}", run.records),
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_sleeping_thread_is_blocked_at_its_line() {
    prove(
        "hangs::a_sleeping_thread_is_blocked_at_its_line",
        || paused(sleeps_on_the_thread),
        |run| {
            let hung = run.record("hung");
            assert_eq!(hung["kind"], "blocked");
            assert_at(hung, "blocks");
            assert_eq!(hung["at"][0]["what"], "std::thread::sleep");
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_call_into_a_gate_is_blocked_at_the_learners_line() {
    let check = || {
        real_time(|| async {
            let gate = Gate::new();
            let _canary = Canary::opens(&gate);
            calls(Arc::new(move || assert!(gate.wait()))).await;
        });
    };
    prove(
        "hangs::a_call_into_a_gate_is_blocked_at_the_learners_line",
        check,
        |run| {
            assert_at(run.record("hung"), "inline call");
        },
    );
}

#[test]
fn the_same_call_on_the_blocking_pool_passes() {
    let check = || {
        real_time(|| async {
            let gate = Gate::new();
            let canary = Canary::opens(&gate);
            offloads(Arc::new(move || assert!(gate.wait()))).await;
            canary.expect_alive("the probe got no answer").await;
        });
    };
    prove(
        "hangs::the_same_call_on_the_blocking_pool_passes",
        check,
        |run| assert!(run.passed(), "{:?}", run.records),
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_loop_without_an_await_spins_at_its_line() {
    prove(
        "hangs::a_loop_without_an_await_spins_at_its_line",
        || paused(computes_for_ever),
        |run| {
            assert_eq!(run.record("hung")["kind"], "spinning");
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_computes_its_answer_is_waited_for_on_the_paused_clock() {
    let check = || {
        paused(|| async {
            for _ in 0..100 {
                let (told, answer) = tokio::sync::oneshot::channel();
                std::thread::spawn(move || {
                    let sum = (0..20_000_u64).fold(1, |sum, n| std::hint::black_box(sum ^ n));
                    told.send(sum)
                });
                let answer = tokio::time::timeout(std::time::Duration::from_millis(1), answer);
                assert!(answer.await.is_ok(), "the clock ran ahead of the thread");
            }
        });
    };
    prove(
        "hangs::a_thread_that_computes_its_answer_is_waited_for_on_the_paused_clock",
        check,
        |run| {
            run.record("finished");
        },
    );
}
