// wrong: check_failed all_charges_are_handled_at_the_same_time — every outcome is right; a semaphore spares the mail server, and the batch is not done within its minute

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;

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
    let turns = Arc::new(Semaphore::new(100));
    let mut tasks = Vec::new();
    for id in ids {
        let (steps, turns) = (steps.clone(), turns.clone());
        let task = tokio::spawn(async move {
            let _turn = turns.acquire().await;
            after_charge(id, &*steps).await
        });
        tasks.push((id, task));
    }
    let mut report = Report::default();
    for (id, task) in tasks {
        match task.await {
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
