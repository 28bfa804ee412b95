use std::sync::Arc;
use std::time::Duration;

use crate::exercise::{Gateway, Reply, Request};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

const PATIENCE: Duration = Duration::from_secs(1);

fn gateway() -> (Arc<Gateway>, mpsc::Receiver<Request>) {
    let (requests, at_the_bank) = mpsc::channel(1024);
    (Arc::new(Gateway::new(requests)), at_the_bank)
}

fn account() -> u64 {
    lab::random().range(1..1_000_000)
}

/// What the bank has for an account.
fn balance_of(account: u64) -> i64 {
    account as i64 * 1_000 + 7
}

fn reply(to: &Request) -> Reply {
    let (id, balance) = (to.id, balance_of(to.account));
    Reply { id, balance }
}

async fn next(at_the_bank: &mut mpsc::Receiver<Request>) -> Request {
    match at_the_bank.recv().await {
        Some(request) => request,
        None => lab::fail("a customer asked, and the bank got no request").raise(),
    }
}

#[test]
fn a_late_reply_reaches_nobody_else() {
    lab::paused(|| async {
        let (gateway, mut at_the_bank) = gateway();
        for minutes in [0, 1, 30] {
            let (slow, other) = (account(), account());
            let timed_out = gateway.balance(slow, PATIENCE).await;
            lab::expect_eq(timed_out, None, "what a customer saw without a reply");
            let late = next(&mut at_the_bank).await;
            tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
            let bank = async {
                let request = next(&mut at_the_bank).await;
                gateway.on_reply(reply(&late));
                gateway.on_reply(reply(&request));
            };
            let (seen, ()) = tokio::join!(gateway.balance(other, PATIENCE), bank);
            let what = "the balance that a customer saw, after a late reply to another one";
            lab::expect_eq(seen, Some(balance_of(other)), what);
        }
    });
}

#[test]
fn a_call_that_timed_out_is_forgotten() {
    lab::paused(|| async {
        let (gateway, _at_the_bank) = gateway();
        for _ in 0..100 {
            gateway.balance(account(), PATIENCE).await;
        }
        // However it is cleared away, half an hour is enough.
        tokio::time::sleep(Duration::from_secs(30 * 60)).await;
        let what = "calls that wait, after 100 timed out and the bank never replied";
        lab::expect_eq(gateway.waiting(), 0, what);
    });
}

#[test]
fn replies_in_any_order_reach_who_asked() {
    lab::paused(|| async {
        let (gateway, mut at_the_bank) = gateway();
        let mut customers = JoinSet::new();
        for _ in 0..20 {
            let (gateway, account) = (gateway.clone(), account());
            customers.spawn(async move { (account, gateway.balance(account, PATIENCE).await) });
        }
        let mut requests = Vec::new();
        while requests.len() < 20 {
            requests.push(next(&mut at_the_bank).await);
        }
        lab::expect_eq(gateway.waiting(), 20, "calls that wait for their reply");
        requests
            .iter()
            .rev()
            .for_each(|to| gateway.on_reply(reply(to)));
        for (account, seen) in customers.join_all().await {
            let what = "the balance that a customer saw, with 20 calls at once";
            lab::expect_eq(seen, Some(balance_of(account)), what);
        }
    });
}

#[test]
fn two_calls_for_one_account_both_end() {
    lab::paused(|| async {
        let (gateway, mut at_the_bank) = gateway();
        let account = account();
        let bank = async {
            for _ in 0..2 {
                let request = next(&mut at_the_bank).await;
                gateway.on_reply(reply(&request));
            }
        };
        let balance = || gateway.balance(account, PATIENCE);
        let (first, second, ()) = tokio::join!(balance(), balance(), bank);
        let both = Some(balance_of(account));
        lab::expect_eq(first, both, "the balance in the customer's first window");
        lab::expect_eq(second, both, "the balance in the customer's second window");
    });
}
