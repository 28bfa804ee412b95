// wrong: check_failed two_calls_for_one_account_both_end — one customer with two windows is nobody else, and still two calls
//! Support has two tickets from last night: two customers saw the balance of somebody else. The bank's link was slow
//! then, and many calls had timed out. In a quiet hour nobody can reproduce it.
//!
//! The checks call `Request`, `Reply`, `Gateway::new`, `balance`, `on_reply` and `waiting`; keep their signatures.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// The bank copies the id into its reply, and sends at most one reply to a request, however late.
#[derive(Debug)]
pub struct Request {
    pub id: u64,
    pub account: u64,
}

#[derive(Debug)]
pub struct Reply {
    pub id: u64,
    pub balance: i64,
}

/// All calls to the bank go over one connection.
pub struct Gateway {
    requests: mpsc::Sender<Request>,
    calls: Mutex<HashMap<u64, oneshot::Sender<i64>>>,
}

impl Gateway {
    pub fn new(requests: mpsc::Sender<Request>) -> Self {
        let calls = Mutex::default();
        Self { requests, calls }
    }

    /// `None` where the bank does not answer in time.
    pub async fn balance(&self, account: u64, patience: Duration) -> Option<i64> {
        let (answer, answered) = oneshot::channel();
        let id = account;
        self.calls.lock().unwrap().insert(id, answer);
        let request = Request { id, account };
        self.requests.send(request).await.ok()?;
        let Ok(balance) = timeout(patience, answered).await else {
            self.calls.lock().unwrap().remove(&id);
            return None;
        };
        balance.ok()
    }

    /// The connection calls this for each reply.
    pub fn on_reply(&self, reply: Reply) {
        let call = self.calls.lock().unwrap().remove(&reply.id);
        if let Some(answer) = call {
            // Whoever asked may have gone in the meantime.
            let _ = answer.send(reply.balance);
        }
    }

    /// Calls that wait for their reply, for the dashboard.
    pub fn waiting(&self) -> usize {
        self.calls.lock().unwrap().len()
    }
}

#[tokio::main]
async fn main() {
    let (requests, mut at_the_bank) = mpsc::channel(8);
    let gateway = Gateway::new(requests);
    let second = Duration::from_secs(1);
    println!("account 1: {:?}", gateway.balance(1, second / 10).await);
    let late = at_the_bank.recv().await.expect("a request for account 1");
    let (balance, ()) = tokio::join!(gateway.balance(2, second), async {
        gateway.on_reply(Reply {
            id: late.id,
            balance: 1_000_000,
        });
    });
    println!("account 2: {balance:?}, and 1000000 is what account 1 has");
}
