//! A transfer ends, and stays one step for everybody else: look, take and give, with nobody between.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Mutex;

use futures::future::{self, BoxFuture};
use lab::Trail;
use tokio::task::{coop, unconstrained, yield_now};

use crate::exercise::{Account, Audit, Bank, Insufficient};

#[test]
fn a_transfer_ends() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let story = format!("a customer with {} moved {}", case.has, case.part);
        let paid = bank.transfer(case.a, case.b, case.part, &log).await;
        expect_paid(&paid, &story);
        case.expect(
            &bank,
            [case.has - case.part, case.other + case.part],
            &story,
        )
        .await;
        log.expect(&[(case.a, case.b, case.part)], &story);
    });
}

#[test]
fn a_whole_balance_can_be_moved() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let story = format!("a customer with {} moved all of it", case.has);
        let paid = bank.transfer(case.a, case.b, case.has, &log).await;
        expect_paid(&paid, &story);
        case.expect(&bank, [0, case.other + case.has], &story).await;
    });
}

#[test]
fn a_payer_with_too_little_is_refused() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let story = format!(
            "a customer with {} tried to move {}",
            case.has,
            case.has + 1
        );
        let paid = bank.transfer(case.a, case.b, case.has + 1, &log).await;
        if paid.is_ok() {
            lab::fail(format!("{story}, and paid with money that was not there"))
                .expected("Insufficient")
                .seen("Ok")
                .raise();
        }
        case.expect(&bank, [case.has, case.other], &story).await;
        log.expect(&[], &story);
    });
}

#[test]
fn a_transfer_to_the_same_account_changes_nothing() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let story = format!(
            "a customer with {} moved {} to the same account",
            case.has, case.part
        );
        let paid = bank.transfer(case.a, case.a, case.part, &log).await;
        expect_paid(&paid, &story);
        case.expect(&bank, [case.has, case.other], &story).await;
    });
}

#[test]
fn the_same_money_is_not_spent_twice() {
    lab::paused(|| async {
        let case = Case::random();
        let story = format!(
            "a customer with {} moved all of it, twice at the same moment",
            case.has
        );
        for burnt in 0..=TURN {
            let (bank, log) = (case.bank(), Log::default());
            let (first, second) = overlap(
                burnt,
                bank.transfer(case.a, case.b, case.has, &log),
                bank.transfer(case.a, case.b, case.has, &log),
            )
            .await;
            let paid = [first, second].iter().filter(|paid| paid.is_ok()).count();
            if paid != 1 {
                let left = bank.balance(case.a).await;
                lab::fail(format!(
                    "{story}: one of the two is paid, the other is refused"
                ))
                .expected("1 of 2 paid, and 0 left")
                .seen(format!("{paid} of 2 paid, and {left} left"))
                .raise();
            }
            case.expect(&bank, [0, case.other + case.has], &story).await;
            log.expect(&[(case.a, case.b, case.has)], &story);
        }
    });
}

#[test]
fn transfers_in_opposite_directions_both_end() {
    lab::paused(|| async {
        let case = Case::random();
        let story = format!(
            "a customer paid another {}, who paid 1 back at the same moment",
            case.part
        );
        for burnt in 0..=TURN {
            let (bank, log) = (case.bank(), Log::default());
            let (there, back) = overlap(
                burnt,
                bank.transfer(case.a, case.b, case.part, &log),
                bank.transfer(case.b, case.a, 1, &log),
            )
            .await;
            expect_paid(&there, &story);
            expect_paid(&back, &story);
            let moved = [case.has - case.part + 1, case.other + case.part - 1];
            case.expect(&bank, moved, &story).await;
        }
    });
}

fn expect_paid(paid: &Result<(), Insufficient>, story: &str) {
    if paid.is_err() {
        lab::fail(format!("{story}: it was refused, with enough money there"))
            .expected("Ok")
            .seen("Insufficient")
            .at(Trail::of_function(Bank::transfer as *const ()))
            .raise();
    }
}

/// Tokio's operations in one turn of a task (128 today), and some to spare.
const TURN: usize = 140;

/// Polls `first`, then `second`, until both are done. `burnt` operations of the first turn are used up before,
/// so that `first` must give its turn away even at a lock that is free: over all values of `burnt`, at each
/// of its `.await`s once. `second` is never held up like that.
async fn overlap<A: Future, B: Future>(
    burnt: usize,
    first: A,
    second: B,
) -> (A::Output, B::Output) {
    yield_now().await;
    let mut first = pin!(first);
    let mut begun = false;
    let first = poll_fn(|cx| {
        if !begun {
            begun = true;
            for _ in 0..burnt {
                let _ = pin!(coop::consume_budget()).poll(cx);
            }
        }
        first.as_mut().poll(cx)
    });
    future::join(first, unconstrained(second)).await
}

/// Two customers with random money.
struct Case {
    a: Account,
    b: Account,
    has: i64,
    other: i64,
    part: i64,
}

impl Case {
    fn random() -> Self {
        let mut random = lab::random();
        let mut any = |from, to| random.range(from..to);
        let a = any(1, 1_000) as Account;
        Self {
            a,
            b: a + any(1, 1_000) as Account,
            has: any(1_000, 1_000_000) as i64,
            other: any(1_000, 1_000_000) as i64,
            part: any(1, 1_000) as i64,
        }
    }

    fn bank(&self) -> Bank {
        Bank::new(HashMap::from([(self.a, self.has), (self.b, self.other)]))
    }

    async fn expect(&self, bank: &Bank, [a, b]: [i64; 2], story: &str) {
        let seen = [bank.balance(self.a).await, bank.balance(self.b).await];
        if seen != [a, b] {
            lab::fail(format!(
                "{story}, and the two accounts do not hold what they should"
            ))
            .expected(format!("{a} and {b}"))
            .seen(format!("{} and {}", seen[0], seen[1]))
            .raise();
        }
    }
}

/// The auditors' log: an entry counts once its future was awaited, and that takes a turn or two.
#[derive(Default)]
struct Log {
    entries: Mutex<Vec<(Account, Account, i64)>>,
}

impl Log {
    fn expect(&self, expected: &[(Account, Account, i64)], story: &str) {
        let entries = self.entries.lock().unwrap();
        if *entries != *expected {
            lab::fail(format!(
                "{story}, and the auditors' log tells another story when the answer comes"
            ))
            .expected(format!("(from, to, amount): {expected:?}"))
            .seen(format!("{entries:?}"))
            .raise();
        }
    }
}

impl Audit for Log {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()> {
        let _ = Trail::here();
        Box::pin(async move {
            yield_now().await;
            self.entries.lock().unwrap().push((from, to, amount));
        })
    }
}
