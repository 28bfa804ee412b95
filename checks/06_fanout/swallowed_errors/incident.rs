//! Twenty nightly runs of fifty charges, one run every 20 ms. In each, two cards are refused and one answer of the acquirer
//! makes its client panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Better, Incident};

use crate::exercise::{ChargeReq, Kg, Metrics, ReqId, TxId, fanout_charge};

struct Acquirer;

impl Kg for Acquirer {
    fn charge(&self, req: ChargeReq) -> BoxFuture<'_, Result<TxId, String>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            match req.id.0 % 50 {
                7 => panic!("field `tx` is missing in the answer"),
                12 | 31 => Err("card expired".to_owned()),
                _ => Ok(TxId(req.id.0)),
            }
        })
    }
}

#[test]
fn nightly_runs() {
    Incident::one_thread("runs").run(|measured| async move {
        let metrics = Arc::new(Metrics::default());
        let answered = Arc::new(AtomicU64::new(0));
        let night = |n: u64| {
            let (metrics, answered) = (metrics.clone(), answered.clone());
            async move {
                let req = |k| ChargeReq {
                    id: ReqId(n * 50 + k),
                    amount_krw: 9_900,
                };
                let reqs = (0..50).map(req).collect();
                let outcomes = fanout_charge(reqs, Arc::new(Acquirer), &metrics).await;
                answered.fetch_add(outcomes.len() as u64, Relaxed);
                Answer::Done
            }
        };
        measured.at_pace(20, Duration::from_millis(20), night).await;
        measured.lost(1_000 - answered.load(Relaxed), "charges");
        let failed = metrics.failed.load(Relaxed) as f64;
        measured.figure("dashboard: failed", failed, "", Better::Neither);
    });
}
