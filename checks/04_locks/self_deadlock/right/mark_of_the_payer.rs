// right: one transfer of a payer at a time; the mark is a guard, so a call that is dropped takes it off

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use futures::future::BoxFuture;
use tokio::sync::Notify;

pub type Account = u32;

/// The auditors' log, on another machine.
pub trait Audit: Send + Sync {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()>;
}

/// The payer has less than the amount.
#[derive(Debug)]
pub struct Insufficient;

pub struct Bank {
    accounts: Mutex<HashMap<Account, i64>>,
    paying: Mutex<HashSet<Account>>,
    done: Notify,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        Self {
            accounts: Mutex::new(accounts),
            paying: Mutex::default(),
            done: Notify::new(),
        }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        let accounts = self.accounts.lock().unwrap();
        accounts.get(&account).copied().unwrap_or(0)
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        let _paying = self.begin(from).await;
        if self.balance(from).await < amount {
            return Err(Insufficient);
        }
        {
            let mut accounts = self.accounts.lock().unwrap();
            *accounts.entry(from).or_default() -= amount;
            *accounts.entry(to).or_default() += amount;
        }
        audit.record(from, to, amount).await;
        Ok(())
    }

    async fn begin(&self, payer: Account) -> Paying<'_> {
        loop {
            let done = self.done.notified();
            if self.paying.lock().unwrap().insert(payer) {
                return Paying(self, payer);
            }
            done.await;
        }
    }
}

struct Paying<'a>(&'a Bank, Account);

impl Drop for Paying<'_> {
    fn drop(&mut self) {
        let Paying(bank, payer) = self;
        bank.paying.lock().unwrap().remove(payer);
        bank.done.notify_waiters();
    }
}
