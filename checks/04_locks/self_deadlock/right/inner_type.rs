// right: the work is methods of the data, which cannot reach the lock at all

use std::collections::HashMap;

use futures::future::BoxFuture;
use tokio::sync::Mutex;

pub type Account = u32;

/// The auditors' log, on another machine.
pub trait Audit: Send + Sync {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()>;
}

/// The payer has less than the amount.
#[derive(Debug)]
pub struct Insufficient;

#[derive(Default)]
struct Accounts(HashMap<Account, i64>);

impl Accounts {
    fn balance(&self, account: Account) -> i64 {
        self.0.get(&account).copied().unwrap_or(0)
    }

    fn transfer(&mut self, from: Account, to: Account, amount: i64) -> Result<(), Insufficient> {
        if self.balance(from) < amount {
            return Err(Insufficient);
        }
        *self.0.entry(from).or_default() -= amount;
        *self.0.entry(to).or_default() += amount;
        Ok(())
    }
}

pub struct Bank {
    accounts: Mutex<Accounts>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        Self {
            accounts: Mutex::new(Accounts(accounts)),
        }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        self.accounts.lock().await.balance(account)
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        self.accounts.lock().await.transfer(from, to, amount)?;
        audit.record(from, to, amount).await;
        Ok(())
    }
}
