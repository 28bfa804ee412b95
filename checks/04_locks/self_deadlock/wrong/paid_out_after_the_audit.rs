// wrong: check_failed a_transfer_dropped_half_way_is_in_nobodys_way — the payee gets the money when the auditors have it; who hangs up before has paid nobody

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
            let payer = accounts.entry(from).or_default();
            if *payer < amount {
                return Err(Insufficient);
            }
            *payer -= amount;
        }
        audit.record(from, to, amount).await;
        *self.accounts.lock().await.entry(to).or_default() += amount;
        Ok(())
    }
}
