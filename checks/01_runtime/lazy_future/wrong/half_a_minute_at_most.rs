// wrong: check_failed the_row_is_in_the_table_before_the_customer_has_the_receipt — a generous limit, and a receipt without a row behind it
//! The auditors ask for last week's payments, and our table has not one row of them. Every customer got
//! a receipt, the log has no error, and the line that writes the row runs: I put a breakpoint on it.
//! Keep as they are, the checks use them: `Ledger`, `Audit`, `Receipt`, the signature of `charge`.

use std::sync::Mutex;
use std::time::Duration;

/// The bank's ledger, on another machine.
pub trait Ledger {
    /// Books the payment and answers with the number of the entry.
    fn book(&self, tx: u64) -> impl Future<Output = u64>;
}

/// The auditors' table, on another machine.
pub trait Audit {
    /// Writes the row of this payment.
    fn record(&self, tx: u64) -> impl Future<Output = ()>;
}

#[derive(Debug, PartialEq)]
pub struct Receipt {
    pub tx: u64,
    pub entry: u64,
}

/// Books the payment once; once it is booked, writes one audit row of it. By the time the customer
/// holds the receipt, the row is in the table.
pub async fn charge(tx: u64, ledger: &impl Ledger, audit: &impl Audit) -> Receipt {
    let entry = ledger.book(tx).await;
    // TODO: on Node this line sent the row on its way. What does `record` give us here?
    let _ = tokio::time::timeout(Duration::from_secs(30), audit.record(tx)).await;
    Receipt { tx, entry }
}

#[derive(Default)]
struct Bank {
    entries: Mutex<Vec<u64>>,
}

impl Ledger for Bank {
    async fn book(&self, tx: u64) -> u64 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let mut entries = self.entries.lock().unwrap();
        entries.push(tx);
        entries.len() as u64
    }
}

#[derive(Default)]
struct Table {
    rows: Mutex<Vec<u64>>,
}

impl Audit for Table {
    async fn record(&self, tx: u64) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.rows.lock().unwrap().push(tx);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (bank, table) = (Bank::default(), Table::default());
    for tx in [4_711, 4_712, 4_713] {
        println!("{:?}", charge(tx, &bank, &table).await);
    }
    println!("booked:     {:?}", bank.entries.lock().unwrap());
    println!("audit rows: {:?}", table.rows.lock().unwrap());
}
