// wrong: check_failed no_step_runs_twice — a second try after a panic sends the receipt a second time

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
        tasks.push((
            id,
            tokio::spawn(async move { after_charge(id, &*steps).await }),
        ));
    }
    let mut report = Report::default();
    for (id, task) in tasks {
        let steps = steps.clone();
        let end = match task.await {
            Err(_) => tokio::spawn(async move { after_charge(id, &*steps).await }).await,
            end => end,
        };
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
