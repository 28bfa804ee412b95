// right: what follows a charge has a runtime of its own, made once, apart from the charges themselves

use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};

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

static AFTERWARDS: LazyLock<Runtime> = LazyLock::new(|| {
    let mut afterwards = Builder::new_multi_thread();
    afterwards.worker_threads(2).enable_all();
    afterwards.build().expect("the system gives two threads")
});

pub async fn run_after_charge(ids: Vec<TxId>, steps: Arc<dyn Steps>) -> Report {
    let mut tasks = Vec::new();
    for id in ids {
        let steps = steps.clone();
        let task = AFTERWARDS.spawn(async move { after_charge(id, &*steps).await });
        tasks.push((id, task));
    }
    let mut report = Report::default();
    for (id, task) in tasks {
        match task.await {
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
