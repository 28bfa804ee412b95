// wrong: check_failed a_panic_takes_no_other_charge_along — `while let Some(Ok(..))` ends at the first panic; what is missing is called panicked

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::task::JoinSet;

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
    let mut tasks = JoinSet::new();
    for id in ids.clone() {
        let steps = steps.clone();
        tasks.spawn(async move { (id, after_charge(id, &*steps).await) });
    }
    let mut report = Report {
        panicked: ids,
        ..Report::default()
    };
    while let Some(Ok((id, outcome))) = tasks.join_next().await {
        report.panicked.retain(|of| *of != id);
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
