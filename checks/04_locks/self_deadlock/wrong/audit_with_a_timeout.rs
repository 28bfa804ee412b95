// wrong: check_failed slow_auditors_change_no_answer — the auditors get thirty seconds; what they have not written by then is not in the log

use std::collections::HashMap;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::timeout;

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
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        Self {
            accounts: Mutex::new(accounts),
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
        {
            let mut accounts = self.accounts.lock().await;
            if accounts.get(&from).copied().unwrap_or(0) < amount {
                return Err(Insufficient);
            }
            *accounts.entry(from).or_default() -= amount;
            *accounts.entry(to).or_default() += amount;
        }
        let _ = timeout(Duration::from_secs(30), audit.record(from, to, amount)).await;
        Ok(())
    }
}
