//! `Bank` plays the bank's end of the wire on the paused clock. It answers after some seconds, knows the order of
//! the questions, and says so when a second question comes while the first one is still on the wire.

use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::{CountingWaker, Live, Trail, WatchState, poll_once};
use tokio::time::sleep;

use crate::exercise::{Answer, Line, Query, Wire};

#[test]
fn a_query_gets_the_answer_of_the_bank() {
    lab::paused(|| async {
        let (line, bank) = Bank::with_accounts(5);
        for account in bank.accounts() {
            let answer = line.query(Query { account }).await;
            bank.expect_own(account, &answer, "nobody else used the line");
        }
        bank.everybody_is_paid();
        for account in bank.accounts() {
            let answer = line.query(Query { account }).await;
            let story = "money came in since the account was asked about";
            bank.expect_own(account, &answer, story);
        }
        let twice = [bank.accounts(), bank.accounts()].concat();
        bank.expect_asked(&twice, "asked one after the other");
    });
}

#[test]
fn a_second_customer_gets_an_answer_too() {
    lab::paused(|| async {
        let (line, bank) = Bank::with_accounts(2);
        let [one, other] = bank.accounts()[..] else {
            unreachable!()
        };
        // Longer than anybody likes to wait.
        bank.takes(61_000..66_000);
        let (one_answer, other_answer) = tokio::join!(
            line.query(Query { account: one }),
            line.query(Query { account: other }),
        );
        for (account, answer) in [(one, one_answer), (other, other_answer)] {
            bank.expect_own(account, &answer, "two customers used the line at noon");
        }

        let (line, bank) = Bank::with_accounts(30);
        bank.takes(30..80);
        let crowd = bank.accounts().into_iter().map(async |account| {
            let answer = line.query(Query { account }).await;
            bank.expect_own(account, &answer, "30 customers used the line at noon");
        });
        futures::future::join_all(crowd).await;
    });
}

#[test]
fn customers_are_served_in_the_order_in_which_they_came() {
    lab::paused(|| async {
        let (line, bank) = Bank::with_accounts(8);
        let accounts = bank.accounts();
        let (regular, others) = accounts.split_first().unwrap();
        let (again, waiting) = others.split_last().unwrap();

        // The regular customer asks, and asks again in the very moment of the answer; the others wait meanwhile.
        let regular = async {
            ask(&line, &bank, *regular).await;
            ask(&line, &bank, *again).await;
        };
        let waiting = (1..).zip(waiting).map(async |(nth, account)| {
            sleep(Duration::from_millis(nth)).await;
            ask(&line, &bank, *account).await;
        });
        tokio::join!(regular, futures::future::join_all(waiting));
        let mut came = accounts.clone();
        let last = came.pop().unwrap();
        came.push(last);
        bank.expect_asked(&came, "came in this order");
    });
}

#[test]
fn a_customer_who_hangs_up_leaves_the_line_to_others() {
    lab::paused(|| async {
        let hung_up = lab::cancel_sweep(
            || {
                let (line, bank) = Bank::with_accounts(2);
                Arc::new((line, bank))
            },
            |office| async move {
                let account = office.1.accounts()[0];
                office.0.query(Query { account }).await
            },
            |office, _| async move {
                let (line, bank) = &*office;
                let account = bank.accounts()[1];
                let answer = line.query(Query { account }).await;
                bank.expect_own(account, &answer, "another customer hung up before");
            },
        )
        .await;
        if hung_up == 0 {
            lab::fail("a query got its answer before the bank had answered").raise();
        }

        // The next one waits already.
        let (line, bank) = Bank::with_accounts(2);
        let [gone, next] = bank.accounts()[..] else {
            unreachable!()
        };
        let mut gone = Box::pin(line.query(Query { account: gone }));
        let _ = poll_once(gone.as_mut(), &CountingWaker::new());
        let mut next = pin!(ask(&line, &bank, next));
        let _ = poll_once(next.as_mut(), &CountingWaker::new());
        drop(gone);
        next.await;
    });
}

#[test]
fn a_customer_who_gives_up_waiting_holds_nobody_up() {
    lab::paused(|| async {
        for called_before in [false, true] {
            let (line, bank) = Bank::with_accounts(3);
            let [first, gone, last] = bank.accounts()[..] else {
                unreachable!()
            };
            let mut first = Box::pin(ask(&line, &bank, first));
            let mut waits = Box::pin(line.query(Query { account: gone }));
            let begun = poll_once(first.as_mut(), &CountingWaker::new());
            lab::expect(
                begun.is_pending(),
                "the bank had not answered yet, and the first query had an answer",
            );
            let _ = poll_once(waits.as_mut(), &CountingWaker::new());
            let mut last = pin!(ask(&line, &bank, last));
            let _ = poll_once(last.as_mut(), &CountingWaker::new());
            if called_before {
                // It is the turn of the second customer, who has not heard of it yet.
                first.await;
                drop(waits);
            } else {
                drop(waits);
                first.await;
            }
            last.await;
        }
    });
}

async fn ask(line: &Line, bank: &Bank, account: u64) {
    let answer = line.query(Query { account }).await;
    bank.expect_own(account, &answer, "several customers used the line");
}

struct Bank {
    balances: Mutex<BTreeMap<u64, i64>>,
    /// In the order in which the check uses them.
    accounts: Vec<u64>,
    asked: Mutex<Vec<Asked>>,
    on_the_wire: Live,
    /// To answer a question, in milliseconds.
    takes: Mutex<Range<u64>>,
}

struct Asked {
    account: u64,
    from: Trail,
    work: Arc<WatchState>,
}

/// What the exercise gets of the bank.
struct Modem(Arc<Bank>);

impl Bank {
    fn with_accounts(n: u64) -> (Line, Arc<Bank>) {
        let mut rng = lab::random();
        let first = rng.range(1_000..1_000_000);
        let mut accounts: Vec<_> = (0..n).map(|i| first + 11 * i).collect();
        rng.shuffle(&mut accounts);
        let balances = accounts
            .iter()
            .map(|account| (*account, rng.range(-9_000..90_000_000)));
        let bank = Arc::new(Bank {
            balances: Mutex::new(balances.collect()),
            accounts,
            asked: Mutex::default(),
            on_the_wire: Live::default(),
            takes: Mutex::new(1_500..4_000),
        });
        (Line::new(Box::new(Modem(bank.clone()))), bank)
    }

    fn accounts(&self) -> Vec<u64> {
        self.accounts.clone()
    }

    fn takes(&self, ms: Range<u64>) {
        *self.takes.lock().unwrap() = ms;
    }

    fn everybody_is_paid(&self) {
        let won = lab::random().range(1..1_000_000);
        for balance in self.balances.lock().unwrap().values_mut() {
            *balance += won;
        }
    }

    fn expect_own(&self, account: u64, answer: &Answer, story: &str) {
        let own = Answer::Balance(self.balances.lock().unwrap()[&account]);
        if *answer != own {
            let asked = self.asked.lock().unwrap();
            let cut_off = asked.iter().find_map(|asked| asked.work.dropped_at());
            let told = match answer {
                Answer::Busy => "was told that the line is busy",
                Answer::Balance(_) => "was told another balance than the bank's",
            };
            lab::fail(format!("{story}; the customer of account {account} {told}"))
                .expected(format!("{own:?}"))
                .seen(format!("{answer:?}"))
                .at(cut_off)
                .at(asked.last().map(|asked| &asked.from))
                .raise();
        }
    }

    fn expect_asked(&self, came: &[u64], story: &str) {
        let asked = self.asked.lock().unwrap();
        let order: Vec<_> = asked.iter().map(|asked| asked.account).collect();
        if order != came {
            let first_wrong = order
                .iter()
                .zip(came)
                .position(|(asked, came)| asked != came);
            let first_wrong = first_wrong.and_then(|n| asked.get(n));
            lab::fail(format!(
                "customers {story}, and somebody was served before one who came earlier"
            ))
            .expected(format!("accounts {came:?}"))
            .seen(format!("accounts {order:?}"))
            .at(first_wrong.map(|asked| &asked.from))
            .raise();
        }
    }
}

impl Wire for Modem {
    fn ask(&mut self, query: Query) -> BoxFuture<'_, Answer> {
        let bank = &self.0;
        if bank.on_the_wire.now() > 0 {
            lab::fail("a question went over the wire while another one was still on it: the bank hangs up on both")
                .expected("1 question on the wire")
                .seen("2 questions on the wire")
                .raise();
        }
        let on_the_wire = bank.on_the_wire.token();
        let takes = bank.takes.lock().unwrap().clone();
        let takes = Duration::from_millis(lab::random().range(takes));
        let work = lab::watched("question", async move {
            let _on_the_wire = on_the_wire;
            // There and back, and the bank's work in between.
            for _ in 0..3 {
                sleep(takes / 3).await;
            }
            match bank.balances.lock().unwrap().get(&query.account) {
                Some(balance) => Answer::Balance(*balance),
                None => Answer::Busy,
            }
        });
        bank.asked.lock().unwrap().push(Asked {
            account: query.account,
            from: Trail::here(),
            work: work.state(),
        });
        Box::pin(work)
    }
}
