//! Every night we charge the subscriptions, fifty calls at the acquirer at a time. The dashboard has shown
//! "failed: 0" for a month, and finance has found 312 customers who were never charged.
//! Keep as they are, the checks use them: `ReqId`, `TxId`, `ChargeReq`, `ChargeError`, `Kg`, `Metrics`, `fanout_charge`.

use std::collections::HashMap;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::task::JoinSet;
use tokio::time::sleep;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReqId(pub u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TxId(pub u64);

#[derive(Debug, Clone)]
pub struct ChargeReq {
    pub id: ReqId,
    pub amount_krw: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeError {
    /// The acquirer said no; why, in its own words.
    Refused(String),
    /// The call ended in a panic. Perhaps the card is charged, perhaps not: a person looks it up.
    Unclear,
}

/// The acquirer's client. An error is a reason in words.
pub trait Kg: Send + Sync {
    fn charge(&self, req: ChargeReq) -> BoxFuture<'_, Result<TxId, String>>;
}

/// What the dashboard shows. Every request counts in one of the two.
#[derive(Debug, Default)]
pub struct Metrics {
    pub charged: AtomicU64,
    pub failed: AtomicU64,
}

/// Charges all at the same time, once each, whatever becomes of the others. Every request is answered
/// under its own id, in any order.
pub async fn fanout_charge(
    reqs: Vec<ChargeReq>,
    kg: Arc<dyn Kg>,
    m: &Metrics,
) -> Vec<(ReqId, Result<TxId, ChargeError>)> {
    // ANCHOR: fix
    let mut calls = JoinSet::new();
    // A task that panics takes its request along, and a `JoinError` knows only the task: so the ids of the
    // requests are kept out here.
    let mut ids = HashMap::new();
    for req in reqs {
        let (kg, id) = (kg.clone(), req.id);
        let call = calls.spawn(async move { kg.charge(req).await });
        ids.insert(call.id(), id);
    }

    let mut outcomes = Vec::new();
    while let Some(call) = calls.join_next_with_id().await {
        // No `?` and no `unwrap`: leaving early would drop the set, and that aborts all other calls.
        let (task, outcome) = match call {
            Ok((task, answer)) => (task, answer.map_err(ChargeError::Refused)),
            Err(end) => (end.id(), Err(ChargeError::Unclear)),
        };
        // One match for both counters: whatever is not charged has failed.
        match outcome {
            Ok(_) => m.charged.fetch_add(1, Ordering::Relaxed),
            Err(_) => m.failed.fetch_add(1, Ordering::Relaxed),
        };
        // The set yields in order of completion: the pair must be made here, not by a later zip.
        outcomes.push((ids[&task], outcome));
    }
    outcomes
    // ANCHOR_END: fix
}

struct Demo;

impl Kg for Demo {
    fn charge(&self, req: ChargeReq) -> BoxFuture<'_, Result<TxId, String>> {
        Box::pin(async move {
            sleep(Duration::from_millis(10 * (50 - req.id.0))).await;
            match req.id.0 {
                7 => panic!("field `tx` is missing in the answer to request 7"),
                12 | 31 => Err("card expired".into()),
                n => Ok(TxId(9_000 + n)),
            }
        })
    }
}

#[tokio::main]
async fn main() {
    let req = |id| ChargeReq {
        id: ReqId(id),
        amount_krw: 9_900,
    };
    let metrics = Metrics::default();
    let mut outcomes = fanout_charge((0..50).map(req).collect(), Arc::new(Demo), &metrics).await;
    println!("50 requests, {} outcomes", outcomes.len());
    outcomes.retain(|(_, outcome)| outcome.is_err());
    println!("not charged: {outcomes:?}");
    println!("dashboard: {metrics:?}");
}
