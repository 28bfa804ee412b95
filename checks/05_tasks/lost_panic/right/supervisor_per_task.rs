// right: keeps the channel: a second task awaits the first and reports how it ended

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::mpsc;

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
    let (done, mut outcomes) = mpsc::channel(32);
    for id in ids {
        let (done, steps) = (done.clone(), steps.clone());
        tokio::spawn(async move {
            let end = tokio::spawn(async move { after_charge(id, &*steps).await }).await;
            let _ = done.send((id, end)).await;
        });
    }
    drop(done);
    let mut report = Report::default();
    while let Some((id, end)) = outcomes.recv().await {
        match end {
            Ok(Ok(())) => report.ok.push(id),
            Ok(Err(reason)) => report.failed.push((id, reason)),
            Err(end) if end.is_panic() => report.panicked.push(id),
            Err(end) => report.failed.push((id, end.to_string())),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
