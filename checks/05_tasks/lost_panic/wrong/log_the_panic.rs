// wrong: check_failed a_panicking_receipt_is_reported — a line in the log that nobody reads, and no charge in it

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
    let mut tasks = Vec::new();
    for id in ids {
        let (done, steps) = (done.clone(), steps.clone());
        tasks.push(tokio::spawn(async move {
            let outcome = after_charge(id, &*steps).await;
            let _ = done.send((id, outcome)).await;
        }));
    }
    drop(done);
    let mut report = Report::default();
    while let Some((id, outcome)) = outcomes.recv().await {
        match outcome {
            Ok(()) => report.ok.push(id),
            Err(reason) => report.failed.push((id, reason)),
        }
    }

    for task in tasks {
        if let Err(end) = task.await {
            eprintln!("a task panicked: {end}");
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
