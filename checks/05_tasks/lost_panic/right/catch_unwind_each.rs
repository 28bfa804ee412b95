// right: without tasks: each future catches its own panic, and all run in one `join_all`

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{FutureExt, future::join_all};

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
    let all = ids.into_iter().map(|id| {
        let steps = steps.clone();
        async move {
            let caught = AssertUnwindSafe(after_charge(id, &*steps))
                .catch_unwind()
                .await;
            (id, caught)
        }
    });
    let mut report = Report::default();
    for (id, caught) in join_all(all).await {
        match caught {
            Ok(Ok(())) => report.ok.push(id),
            Ok(Err(reason)) => report.failed.push((id, reason)),
            Err(_panic) => report.panicked.push(id),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
