//! Payday. The first salary never arrives: `transfer` does not come back, with no error, no log line
//! and no CPU in use. A moment before, `balance` answered at once. A restart changes nothing.
//! Keep as they are, the checks use them: `Account`, `Audit`, `Insufficient`, `Bank::{new, balance, transfer}`.

use std::collections::HashMap;
use std::time::Duration;

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

    /// Moves `amount` between two accounts of this bank; it is in the auditors' log when this
    /// returns, however long they take. A payer who has too little is refused: nothing moves, and
    /// nothing is logged. A call that is dropped half-way has moved all or nothing, and is in
    /// nobody's way.
    pub async fn transfer(
        &self,
        from: Account,
        to: Account,
        amount: i64,
        audit: &dyn Audit,
    ) -> Result<(), Insufficient> {
        // Ours until the end, so that nobody spends the same money after we looked.
        let mut accounts = self.accounts.lock().await;
        // TODO: whose turn is it to move now?
        if self.balance(from).await < amount {
            return Err(Insufficient);
        }
        *accounts.entry(from).or_default() -= amount;
        *accounts.entry(to).or_default() += amount;
        audit.record(from, to, amount).await;
        Ok(())
    }
}

struct Paper;

impl Audit for Paper {
    fn record(&self, from: Account, to: Account, amount: i64) -> BoxFuture<'_, ()> {
        Box::pin(async move { println!("audit: {amount} from {from} to {to}") })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bank = Bank::new(HashMap::from([(1, 9_000), (2, 120)]));
    println!("account 2 has {}", bank.balance(2).await);
    let salary = bank.transfer(1, 2, 3_000, &Paper);
    match tokio::time::timeout(Duration::from_secs(3), salary).await {
        Ok(outcome) => println!("salary: {outcome:?}"),
        Err(_) => println!("salary: no answer in 3 s, no error, no CPU in use"),
    }
    println!("account 2 has {}", bank.balance(2).await);
}
