// wrong: hung:waiting a_transfer_ends — a task of its own may take the lock, once this one gives it back, which waits for it

use std::collections::HashMap;
use std::sync::Arc;

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
    accounts: Arc<Mutex<HashMap<Account, i64>>>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        Self {
            accounts: Arc::new(Mutex::new(accounts)),
        }
    }

    pub async fn balance(&self, account: Account) -> i64 {
        let accounts = self.accounts.lock().await;
        accounts.get(&account).copied().unwrap_or(0)
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        let mut accounts = self.accounts.lock().await;
        let bank = self.accounts.clone();
        let look = tokio::spawn(async move { bank.lock().await.get(&from).copied().unwrap_or(0) });
        if look.await.unwrap() < amount {
            return Err(Insufficient);
        }
        *accounts.entry(from).or_default() -= amount;
        *accounts.entry(to).or_default() += amount;
        audit.record(from, to, amount).await;
        Ok(())
    }
}
