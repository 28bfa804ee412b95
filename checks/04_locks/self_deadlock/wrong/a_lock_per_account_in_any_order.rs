// wrong: hung:waiting transfers_in_opposite_directions_both_end — each takes the payer first, so two customers can wait for each other

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
        let mut payer = self.accounts[&from].lock().await;
        if *payer < amount {
            return Err(Insufficient);
        }
        if from != to {
            let mut payee = self.accounts[&to].lock().await;
            *payer -= amount;
            *payee += amount;
        }
        audit.record(from, to, amount).await;
        Ok(())
    }
}
