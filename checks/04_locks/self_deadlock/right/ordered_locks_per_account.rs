// right: a lock per account works if all take them in one order, and an account never waits for itself

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

pub struct Bank {
    accounts: HashMap<Account, Mutex<i64>>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        let lock = |(account, balance)| (account, Mutex::new(balance));
        Self {
            accounts: accounts.into_iter().map(lock).collect(),
        }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        match self.accounts.get(&account) {
            Some(balance) => *balance.lock().await,
            None => 0,
        }
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        if from == to {
            return match *self.accounts[&from].lock().await < amount {
                true => Err(Insufficient),
                false => {
                    audit.record(from, to, amount).await;
                    Ok(())
                }
            };
        }
        let mut low = self.accounts[&from.min(to)].lock().await;
        let mut high = self.accounts[&from.max(to)].lock().await;
        let (payer, payee) = if from < to {
            (&mut low, &mut high)
        } else {
            (&mut high, &mut low)
        };
        if **payer < amount {
            return Err(Insufficient);
        }
        **payer -= amount;
        **payee += amount;
        audit.record(from, to, amount).await;
        Ok(())
    }
}
