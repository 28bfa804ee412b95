//! Fifty batches of twenty charges, one batch every 20 ms. In each batch one receipt runs into a bug and panics, and one
//! customer's mailbox says no.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Better, Incident};

use crate::exercise::{Steps, TxId, run_after_charge};

struct Mail;

impl Steps for Mail {
    fn send_receipt(&self, id: TxId) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            match id.0 % 20 {
                7 => panic!("byte index 4 is not a char boundary"),
                12 => Err("mailbox full".to_owned()),
                _ => Ok(()),
            }
        })
    }

    fn queue_settlement(&self, _: TxId) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }
}

#[test]
fn batches_of_receipts() {
    Incident::one_thread("batches").run(|measured| async move {
        let told = Arc::new(AtomicU64::new(0));
        let alarms = Arc::new(AtomicU64::new(0));
        let batch = |n: u64| {
            let (told, alarms) = (told.clone(), alarms.clone());
            async move {
                let ids = (0..20).map(|k| TxId(n * 20 + k)).collect();
                let report = run_after_charge(ids, Arc::new(Mail)).await;
                let all = report.ok.len() + report.failed.len() + report.panicked.len();
                told.fetch_add(all as u64, Relaxed);
                alarms.fetch_add(report.panicked.len() as u64, Relaxed);
                Answer::Done
            }
        };
        measured.at_pace(50, Duration::from_millis(20), batch).await;
        measured.lost(1_000 - told.load(Relaxed), "charges");
        let alarms = alarms.load(Relaxed) as f64;
        measured.figure("on call was told", alarms, "times", Better::More);
    });
}
