// right: handles in a `FuturesUnordered`, each beside its id

use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};

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
    let mut running = FuturesUnordered::new();
    for id in ids {
        let steps = steps.clone();
        let task = tokio::spawn(async move { after_charge(id, &*steps).await });
        running.push(async move { (id, task.await) });
    }
    let mut report = Report::default();
    while let Some((id, end)) = running.next().await {
        match end {
            Ok(Ok(())) => report.ok.push(id),
            Ok(Err(reason)) => report.failed.push((id, reason)),
            Err(_) => report.panicked.push(id),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
