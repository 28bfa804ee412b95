// wrong: panicked a_step_that_panics_before_its_future_is_reported — `catch_unwind` guards the awaits; the call that makes the future stands outside

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::future::{BoxFuture, join_all};
use futures::{FutureExt, TryFutureExt};

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
    let steps = &*steps;
    let all = ids.into_iter().map(|id| {
        let both = steps
            .send_receipt(id)
            .and_then(move |()| steps.queue_settlement(id));
        let caught = AssertUnwindSafe(both).catch_unwind();
        caught.map(move |caught| (id, caught))
    });
    let mut report = Report::default();
    for (id, caught) in join_all(all).await {
        match caught {
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
