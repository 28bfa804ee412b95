// wrong: check_failed panics_at_the_same_instant_are_all_reported — a guard cannot await in `drop`, so it tries, and the channel may be full

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
    for id in ids {
        let steps = steps.clone();
        let mut guard = Guard {
            id,
            told: false,
            done: done.clone(),
        };
        tokio::spawn(async move {
            let outcome = after_charge(id, &*steps).await;
            guard.told = guard.done.send((id, Some(outcome))).await.is_ok();
        });
    }
    drop(done);
    let mut report = Report::default();
    while let Some((id, outcome)) = outcomes.recv().await {
        match outcome {
            Some(Ok(())) => report.ok.push(id),
            Some(Err(reason)) => report.failed.push((id, reason)),
            None => report.panicked.push(id),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}

type Outcome = Option<Result<(), String>>;

struct Guard {
    id: TxId,
    told: bool,
    done: mpsc::Sender<(TxId, Outcome)>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.told {
            let _ = self.done.try_send((self.id, None));
        }
    }
}
