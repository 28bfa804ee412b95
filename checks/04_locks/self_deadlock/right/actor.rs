// right: one task owns the accounts and books one order after the other; nothing is locked

use std::collections::HashMap;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

pub type Account = u32;

/// The auditors' log, on another machine.
pub trait Audit: Send + Sync {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()>;
}

/// The payer has less than the amount.
#[derive(Debug)]
pub struct Insufficient;

enum Order {
    Balance(Account, oneshot::Sender<i64>),
    Transfer(
        Account,
        Account,
        i64,
        oneshot::Sender<Result<(), Insufficient>>,
    ),
}

pub struct Bank {
    orders: mpsc::Sender<Order>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        let (orders, inbox) = mpsc::channel(32);
        tokio::spawn(keep_books(accounts, inbox));
        Self { orders }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        let (answer, balance) = oneshot::channel();
        let order = Order::Balance(account, answer);
        self.orders
            .send(order)
            .await
            .expect("the bookkeeper never stops");
        balance.await.expect("the bookkeeper answers")
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        let (answer, booked) = oneshot::channel();
        let order = Order::Transfer(from, to, amount, answer);
        self.orders
            .send(order)
            .await
            .expect("the bookkeeper never stops");
        booked.await.expect("the bookkeeper answers")?;
        audit.record(from, to, amount).await;
        Ok(())
    }
}

/// Ends with the bank.
async fn keep_books(mut accounts: HashMap<Account, i64>, mut inbox: mpsc::Receiver<Order>) {
    while let Some(order) = inbox.recv().await {
        match order {
            Order::Balance(account, answer) => {
                let _ = answer.send(accounts.get(&account).copied().unwrap_or(0));
            }
            Order::Transfer(from, to, amount, answer) => {
                let enough = accounts.get(&from).copied().unwrap_or(0) >= amount;
                if enough {
                    *accounts.entry(from).or_default() -= amount;
                    *accounts.entry(to).or_default() += amount;
                }
                let _ = answer.send(if enough { Ok(()) } else { Err(Insufficient) });
            }
        }
    }
}
