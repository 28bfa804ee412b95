// wrong: check_failed every_outcome_stands_under_its_own_charge — a reason in words for both, and the word tells them apart, until an error uses it

use std::sync::Arc;

use futures::future::BoxFuture;

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
    let mut tasks = Vec::new();
    for id in ids {
        let steps = steps.clone();
        let task = tokio::spawn(async move { after_charge(id, &*steps).await });
        tasks.push((id, task));
    }
    let mut report = Report::default();
    for (id, task) in tasks {
        let outcome = task.await.unwrap_or_else(|end| Err(end.to_string()));
        match outcome {
            Ok(()) => report.ok.push(id),
            Err(reason) if reason.contains("panicked") => report.panicked.push(id),
            Err(reason) => report.failed.push((id, reason)),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
