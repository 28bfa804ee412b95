// wrong: check_failed every_outcome_stands_under_its_own_charge — `join_next` answers in the order of completion, the ids stand in the order of the batch

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
    for id in ids.iter().copied() {
        let steps = steps.clone();
        tasks.spawn(async move { after_charge(id, &*steps).await });
    }
    let mut report = Report::default();
    for id in ids {
        match tasks.join_next().await.unwrap() {
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
