//! A transfer ends, and stays one step for everybody else: look, take and give, with nobody between.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::{self, BoxFuture};
use lab::Trail;
use tokio::sync::watch;
use tokio::task::{coop, unconstrained, yield_now};
use tokio::time::{advance, sleep, timeout};

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

#[test]
fn slow_auditors_change_no_answer() {
    lab::paused(|| async {
        let (case, log) = (Case::random(), Log::closed());
        let bank = case.bank();
        let story = format!(
            "a customer moved {}, and the auditors needed two minutes to write it down",
            case.part
        );
        let slow = async {
            let paid = bank.transfer(case.a, case.b, case.part, &log).await;
            expect_paid(&paid, &story);
            log.expect_among((case.a, case.b, case.part), &story);
        };
        let next = async {
            sleep(MOMENT).await;
            let paid = bank.transfer(case.b, case.a, 1, &log).await;
            expect_paid(
                &paid,
                &format!("{story}; the other customer paid 1 back meanwhile"),
            );
            log.expect_among((case.b, case.a, 1), &story);
        };
        let looks = async {
            sleep(MOMENT).await;
            (bank.balance(case.a).await, bank.balance(case.b).await)
        };
        let auditors = async {
            sleep(3 * MOMENT).await;
            // In one jump: whoever looks again and again must not cost two minutes of looks.
            advance(Duration::from_secs(120)).await;
            sleep(3 * MOMENT).await;
            log.open();
        };
        let (_, _, (a, b), _) = future::join4(slow, next, looks, auditors).await;

        // Before or after either of the two transfers.
        let a_may = [0, -case.part, 1 - case.part, 1].map(|moved| case.has + moved);
        let b_may = [0, case.part, case.part - 1, -1].map(|moved| case.other + moved);
        for (account, seen, may) in [("payer", a, a_may), ("payee", b, b_may)] {
            if !may.contains(&seen) {
                lab::fail(format!(
                    "{story}; meanwhile the {account}'s balance was asked for"
                ))
                .expected(format!("{} before, {} after it", may[0], may[1]))
                .seen(seen)
                .at(Trail::of_function(Bank::balance as *const ()))
                .raise();
            }
        }
        let moved = [case.has - case.part + 1, case.other + case.part - 1];
        case.expect(&bank, moved, &story).await;
    });
}

#[test]
fn a_transfer_dropped_half_way_is_in_nobodys_way() {
    lab::paused(|| async {
        let case = Case::random();
        let story = format!("a customer moved {} and hung up half-way", case.part);
        // Once at each `.await` where it gives its turn away.
        let cuts = (0..=TURN).map(|burnt| (burnt, 1));
        for (burnt, polls) in cuts.chain([(0, 2), (0, 3)]) {
            let (bank, log) = (case.bank(), Log::default());
            cut(burnt, polls, bank.transfer(case.a, case.b, case.part, &log)).await;
            sleep(MOMENT).await;
            case.expect_open(&bank, &story).await;
        }
        // And once in the queue, if there is one.
        let (bank, log) = (case.bank(), Log::closed());
        let first = bank.transfer(case.a, case.b, 1, &log);
        let others = async {
            yield_now().await;
            cut(0, 1, bank.transfer(case.a, case.b, case.part, &log)).await;
            log.open();
        };
        let (paid, ()) = future::join(first, others).await;
        expect_paid(&paid, &story);
        sleep(MOMENT).await;
        let case = Case {
            has: case.has - 1,
            other: case.other + 1,
            ..case
        };
        case.expect_open(&bank, &story).await;
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
            burn(burnt, cx);
        }
        first.as_mut().poll(cx)
    });
    future::join(first, unconstrained(second)).await
}

/// Polls so often, each time when it is woken, and drops it; the first turn as in `overlap`.
async fn cut(burnt: usize, polls: usize, transfer: impl Future) {
    yield_now().await;
    let mut transfer = pin!(transfer);
    let mut polled = 0;
    poll_fn(|cx| {
        if polled == 0 {
            burn(burnt, cx);
        }
        polled += 1;
        match transfer.as_mut().poll(cx) {
            Poll::Pending if polled < polls => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
}

fn burn(operations: usize, cx: &mut Context<'_>) {
    for _ in 0..operations {
        let _ = pin!(coop::consume_budget()).poll(cx);
    }
}

const MOMENT: Duration = Duration::from_millis(5);

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

    /// After a transfer of `part` that may have happened or not.
    async fn expect_open(&self, bank: &Bank, story: &str) {
        let log = Log::default();
        let next = async {
            let seen = [bank.balance(self.a).await, bank.balance(self.b).await];
            let paid = bank.transfer(self.a, self.b, 1, &log).await;
            (seen, paid)
        };
        let Ok((seen, paid)) = timeout(Duration::from_secs(60), next).await else {
            lab::fail(format!(
                "{story}: the next transfer of the same customer never ends"
            ))
            .expected("an answer")
            .seen("none in a minute")
            .at(Trail::of_function(Bank::transfer as *const ()))
            .raise();
        };
        let may = [
            [self.has, self.other],
            [self.has - self.part, self.other + self.part],
        ];
        if !may.contains(&seen) {
            lab::fail(format!("{story}: the money has neither moved nor stayed"))
                .expected(format!("{:?} or {:?} in the two accounts", may[0], may[1]))
                .seen(format!("{seen:?}"))
                .at(Trail::of_function(Bank::transfer as *const ()))
                .raise();
        }
        expect_paid(&paid, &format!("{story}, who then moved 1"));
        self.expect(bank, [seen[0] - 1, seen[1] + 1], story).await;
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

/// The auditors' log: an entry counts once its future was awaited, and that takes a turn or two, or until the
/// auditors are there.
struct Log {
    open: watch::Sender<bool>,
    entries: Mutex<Vec<(Account, Account, i64)>>,
}

impl Default for Log {
    fn default() -> Self {
        let log = Log::closed();
        log.open();
        log
    }
}

impl Log {
    fn closed() -> Log {
        Log {
            open: watch::Sender::new(false),
            entries: Mutex::default(),
        }
    }

    fn open(&self) {
        self.open.send_replace(true);
    }

    fn expect_among(&self, expected: (Account, Account, i64), story: &str) {
        let entries = self.entries.lock().unwrap();
        if !entries.contains(&expected) {
            lab::fail(format!(
                "{story}: the answer came, and the transfer is not in the auditors' log"
            ))
            .expected(format!("(from, to, amount): {expected:?}"))
            .seen(format!("{entries:?}"))
            .at(Trail::of_function(Bank::transfer as *const ()))
            .raise();
        }
    }

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
            let _ = self.open.subscribe().wait_for(|open| *open).await;
            self.entries.lock().unwrap().push((from, to, amount));
        })
    }
}
