// right: the lock is apart from the data, and the parts that need it say so by what they take

use std::collections::HashMap;
use std::sync::Mutex as StdMutex;

use futures::future::BoxFuture;
use tokio::sync::{Mutex, MutexGuard};

pub type Account = u32;

/// The auditors' log, on another machine.
pub trait Audit: Send + Sync {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()>;
}

/// The payer has less than the amount.
#[derive(Debug)]
pub struct Insufficient;

pub struct Bank {
    booking: Mutex<()>,
    accounts: StdMutex<HashMap<Account, i64>>,
}

impl Bank {
    pub fn new(accounts: HashMap<Account, i64>) -> Self {
        Self {
            booking: Mutex::new(()),
            accounts: StdMutex::new(accounts),
        }
    }

    fn look(&self, account: Account, _: &MutexGuard<'_, ()>) -> i64 {
        self.accounts
            .lock()
            .unwrap()
            .get(&account)
            .copied()
            .unwrap_or(0)
    }

    fn book(&self, from: Account, to: Account, amount: i64, _: &MutexGuard<'_, ()>) {
        let mut accounts = self.accounts.lock().unwrap();
        *accounts.entry(from).or_default() -= amount;
        *accounts.entry(to).or_default() += amount;
    }

    pub async fn balance(&self, account: Account) -> i64 {
        let booking = self.booking.lock().await;
        self.look(account, &booking)
    }

    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        let booking = self.booking.lock().await;
        if self.look(from, &booking) < amount {
            return Err(Insufficient);
        }
        self.book(from, to, amount, &booking);
        drop(booking);
        audit.record(from, to, amount).await;
        Ok(())
    }
}
