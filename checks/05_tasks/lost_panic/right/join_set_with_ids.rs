// right: a `JoinSet` knows each task by its id, and so does a map

use std::collections::HashMap;
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
    let mut charges = HashMap::new();
    for id in ids {
        let steps = steps.clone();
        let task = tasks.spawn(async move { after_charge(id, &*steps).await });
        charges.insert(task.id(), id);
    }
    let mut report = Report::default();
    while let Some(end) = tasks.join_next_with_id().await {
        match end {
            Ok((task, Ok(()))) => report.ok.push(charges[&task]),
            Ok((task, Err(reason))) => report.failed.push((charges[&task], reason)),
            Err(end) if end.is_panic() => report.panicked.push(charges[&end.id()]),
            Err(end) => report.failed.push((charges[&end.id()], end.to_string())),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
