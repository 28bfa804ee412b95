//! A transfer ends, and stays one step for everybody else: look, take and give, with nobody between.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Mutex;

use futures::future::{self, BoxFuture};
use lab::Trail;
use tokio::task::{coop, unconstrained, yield_now};

use crate::exercise::{Account, Audit, Bank};

#[test]
fn a_transfer_ends() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let paid = bank.transfer(case.a, case.b, case.part, &log).await;
        if paid.is_err() {
            lab::fail("a customer with enough money was refused")
                .expected(format!("{} of {} can be moved", case.part, case.has))
                .seen("Insufficient")
                .raise();
        }
        let moved = [case.has - case.part, case.other + case.part];
        lab::expect_eq(
            case.balances(&bank).await,
            moved,
            "the balances of payer and payee after the transfer",
        );
        log.expect(&[(case.a, case.b, case.part)]);
    });
}

#[test]
fn a_whole_balance_can_be_moved() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let paid = bank.transfer(case.a, case.b, case.has, &log).await;
        lab::expect(
            paid.is_ok(),
            "a customer who moved the whole balance was refused: it is enough, to the last won",
        );
        lab::expect_eq(
            case.balances(&bank).await,
            [0, case.other + case.has],
            "the balances of payer and payee",
        );
    });
}

#[test]
fn a_payer_with_too_little_is_refused() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let paid = bank.transfer(case.a, case.b, case.has + 1, &log).await;
        if paid.is_ok() {
            lab::fail("a customer paid with money that was not there")
                .expected(format!("{} of {} refused", case.has + 1, case.has))
                .seen("Ok")
                .raise();
        }
        lab::expect_eq(
            case.balances(&bank).await,
            [case.has, case.other],
            "the balances after a refused transfer",
        );
        log.expect(&[]);
    });
}

#[test]
fn a_transfer_to_the_same_account_changes_nothing() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::default());
        let bank = case.bank();
        let paid = bank.transfer(case.a, case.a, case.part, &log).await;
        lab::expect(
            paid.is_ok(),
            "a customer who moved money to the same account was refused, with enough money there",
        );
        lab::expect_eq(
            case.balances(&bank).await,
            [case.has, case.other],
            "the balances after a transfer to oneself",
        );
    });
}

#[test]
fn the_same_money_is_not_spent_twice() {
    lab::paused(|| async {
        let case = Case::random();
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
                lab::fail("two transfers of a customer's whole balance came at the same moment: exactly one can be paid")
                    .expected("1 of 2 paid, account left with 0")
                    .seen(format!("{paid} of 2 paid, account left with {}", bank.balance(case.a).await))
                    .raise();
            }
            lab::expect_eq(
                case.balances(&bank).await,
                [0, case.other + case.has],
                "the balances after one of two equal transfers was paid",
            );
            log.expect(&[(case.a, case.b, case.has)]);
        }
    });
}

#[test]
fn transfers_in_opposite_directions_both_end() {
    lab::paused(|| async {
        let case = Case::random();
        for burnt in 0..=TURN {
            let (bank, log) = (case.bank(), Log::default());
            let (there, back) = overlap(
                burnt,
                bank.transfer(case.a, case.b, case.part, &log),
                bank.transfer(case.b, case.a, 1, &log),
            )
            .await;
            lab::expect(
                there.is_ok() && back.is_ok(),
                "two customers paid each other at the same moment, and one was refused with enough money",
            );
            let moved = [case.has - case.part + 1, case.other + case.part - 1];
            lab::expect_eq(
                case.balances(&bank).await,
                moved,
                "the balances after two customers paid each other",
            );
        }
    });
}

/// Tokio's operations in one turn of a task (128 today), and some to spare.
const TURN: usize = 140;

/// Polls `first`, then `second`, until both are done. All but the last few operations of the first turn are
/// used up before, so that `first` must give its turn away even at a lock that is free: over all values of
/// `burnt`, at each of its `.await`s once. `second` is never held up like that.
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

    async fn balances(&self, bank: &Bank) -> [i64; 2] {
        [bank.balance(self.a).await, bank.balance(self.b).await]
    }
}

/// The auditors' log: an entry counts once its future was awaited, and that takes a turn or two.
#[derive(Default)]
struct Log {
    entries: Mutex<Vec<(Account, Account, i64)>>,
}

impl Log {
    fn expect(&self, expected: &[(Account, Account, i64)]) {
        let entries = self.entries.lock().unwrap();
        lab::expect_eq(
            entries.as_slice(),
            expected,
            "the auditors' log (from, to, amount) when the transfer had returned",
        );
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
