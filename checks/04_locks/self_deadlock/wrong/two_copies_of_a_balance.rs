// wrong: check_failed a_transfer_to_the_same_account_changes_nothing — both balances are read before either is written, and the second write makes money

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
        let mut accounts = self.accounts.lock().await;
        let payer = accounts.get(&from).copied().unwrap_or(0);
        let payee = accounts.get(&to).copied().unwrap_or(0);
        if payer < amount {
            return Err(Insufficient);
        }
        accounts.insert(from, payer - amount);
        accounts.insert(to, payee + amount);
        audit.record(from, to, amount).await;
        Ok(())
    }
}
