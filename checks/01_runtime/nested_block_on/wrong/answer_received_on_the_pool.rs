// wrong: check_failed a_customer_who_waits_holds_no_thread — the runtime does the work, and a thread of the pool waits for its answer
//! Since `charge` came over from the batch script, where it worked for years, every customer gets a 500.
//! The log says "Cannot start a runtime from within a runtime", as if we had started one: we never do.
//! Keep as they are, the checks use them: `ChargeReq`, `ChargeRes`, `Db`, the signature of `charge`.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

pub struct ChargeReq {
    pub user_id: u64,
    pub amount_krw: u64,
}

#[derive(Debug, PartialEq)]
pub struct ChargeRes {
    pub tx_id: String,
}

/// The database of payments, on another machine.
pub trait Db: Send + Sync {
    /// Stores the payment and answers with the id of its transaction.
    fn persist(&self, user_id: u64, amount_krw: u64) -> BoxFuture<'_, String>;
}

/// Stores the payment once and answers with the id that the database gave it. Thousands of customers
/// may wait for the database at the same time, so one who waits holds no thread, here or elsewhere.
pub async fn charge(req: ChargeReq, db: Arc<dyn Db>) -> ChargeRes {
    let (tell, told) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let _ = tell.send(db.persist(req.user_id, req.amount_krw).await);
    });
    // TODO: which thread waits in `block_on`, and what else was it there for?
    let tx_id = tokio::task::spawn_blocking(move || told.blocking_recv().unwrap())
        .await
        .unwrap();
    ChargeRes { tx_id }
}

struct Postgres;

impl Db for Postgres {
    fn persist(&self, user_id: u64, amount_krw: u64) -> BoxFuture<'_, String> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            format!("tx_{user_id}_{amount_krw}")
        })
    }
}

#[tokio::main]
async fn main() {
    let opened = std::time::Instant::now();
    let customers = [7, 8, 9].map(|user_id| {
        let req = ChargeReq {
            user_id,
            amount_krw: 1_000 * user_id,
        };
        tokio::spawn(charge(req, Arc::new(Postgres)))
    });
    for customer in customers {
        match customer.await {
            Ok(res) => println!("200 {res:?}, after {:?}", opened.elapsed()),
            Err(_) => println!("500 internal server error"),
        }
    }
}
