// wrong: check_failed a_panicking_receipt_is_reported — one `catch_unwind` around the batch: the service survives, the charges do not

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{FutureExt, future::join_all};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TxId(pub u64);

pub trait Steps: Send + Sync {
    fn send_receipt(&self, id: TxId) -> BoxFuture<'_, Result<(), String>>;
    fn queue_settlement(&self, id: TxId) -> BoxFuture<'_, Result<(), String>>;
}

#[derive(Debug, Default)]
pub struct Report {
    pub ok: Vec<TxId>,
    pub failed: Vec<(TxId, String)>,
    pub panicked: Vec<TxId>,
}

pub async fn run_after_charge(ids: Vec<TxId>, steps: Arc<dyn Steps>) -> Report {
    let all = ids.into_iter().map(|id| {
        let steps = steps.clone();
        async move { (id, after_charge(id, &*steps).await) }
    });
    let caught = AssertUnwindSafe(join_all(all)).catch_unwind().await;
    let mut report = Report::default();
    for (id, outcome) in caught.unwrap_or_default() {
        match outcome {
            Ok(()) => report.ok.push(id),
            Err(reason) => report.failed.push((id, reason)),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
