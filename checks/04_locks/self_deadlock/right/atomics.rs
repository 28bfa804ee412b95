// right: no lock: the payer's balance goes down in one step or not at all

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use futures::future::BoxFuture;

pub type Account = u32;

/// The auditors' log, on another machine.
pub trait Audit: Send + Sync {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()>;
}

/// The payer has less than the amount.
#[derive(Debug)]
pub struct Insufficient;

pub struct Bank {
    accounts: HashMap<Account, AtomicI64>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        let lock = |(account, balance)| (account, AtomicI64::new(balance));
        Self {
            accounts: accounts.into_iter().map(lock).collect(),
        }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        self.accounts
            .get(&account)
            .map_or(0, |balance| balance.load(SeqCst))
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        let pay = |balance| (balance >= amount).then_some(balance - amount);
        self.accounts[&from]
            .fetch_update(SeqCst, SeqCst, pay)
            .map_err(|_| Insufficient)?;
        self.accounts[&to].fetch_add(amount, SeqCst);
        audit.record(from, to, amount).await;
        Ok(())
    }
}
