//! A method that locks, called by one that holds the lock.

use std::collections::HashMap;

use tokio::sync::Mutex;

// ANCHOR: fault
pub struct Purse {
    coins: Mutex<u64>,
}

impl Purse {
    pub async fn count(&self) -> u64 {
        *self.coins.lock().await
    }

    pub async fn pay(&self, price: u64) -> bool {
        let mut coins = self.coins.lock().await;
        if self.count().await < price {
            return false;
        }
        *coins -= price;
        true
    }
}
// ANCHOR_END: fault

impl Purse {
    // ANCHOR: let_go_and_lock_again
    pub async fn pay_and_hope(&self, price: u64) -> bool {
        if self.count().await < price {
            return false;
        }
        // The lock is free here. Whoever else has counted the same coins pays with them, too.
        let mut coins = self.coins.lock().await;
        *coins -= price;
        true
    }
    // ANCHOR_END: let_go_and_lock_again
}

// ANCHOR: inner_type
pub struct Bank {
    accounts: Mutex<Accounts>,
}

impl Bank {
    pub async fn balance(&self, account: u32) -> i64 {
        self.accounts.lock().await.balance(account)
    }

    pub async fn transfer(&self, from: u32, to: u32, amount: i64) -> bool {
        self.accounts.lock().await.book(from, to, amount)
    }
}

/// Has no lock, so no method of it can wait for one.
struct Accounts(HashMap<u32, i64>);

impl Accounts {
    fn balance(&self, account: u32) -> i64 {
        self.0.get(&account).copied().unwrap_or(0)
    }

    fn book(&mut self, from: u32, to: u32, amount: i64) -> bool {
        if self.balance(from) < amount {
            return false;
        }
        *self.0.entry(from).or_default() -= amount;
        *self.0.entry(to).or_default() += amount;
        true
    }
}
// ANCHOR_END: inner_type

impl Bank {
    pub fn new(accounts: HashMap<u32, i64>) -> Bank {
        let accounts = Mutex::new(Accounts(accounts));
        Bank { accounts }
    }
}

impl Purse {
    pub fn new(coins: u64) -> Purse {
        let coins = Mutex::new(coins);
        Purse { coins }
    }
}
