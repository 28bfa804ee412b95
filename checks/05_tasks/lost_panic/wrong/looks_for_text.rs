// wrong: check_failed a_panic_is_reported_whatever_it_carries — the payload of a panic is a `String`, until a bug says its words without a format

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
        match task.await {
            Ok(Ok(())) => report.ok.push(id),
            Ok(Err(reason)) => report.failed.push((id, reason)),
            Err(end) => {
                let payload = end.try_into_panic().ok();
                match payload.and_then(|payload| payload.downcast::<String>().ok()) {
                    Some(_message) => report.panicked.push(id),
                    None => report
                        .failed
                        .push((id, "the task was cancelled".to_string())),
                }
            }
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
