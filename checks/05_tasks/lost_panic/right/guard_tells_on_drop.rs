// right: the task itself tells of its panic: a guard on its stack is dropped while it unwinds

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
    let (done, mut outcomes) = mpsc::unbounded_channel();
    for id in ids {
        let steps = steps.clone();
        let mut guard = Guard {
            id,
            outcome: None,
            done: done.clone(),
        };
        tokio::spawn(async move {
            _ = guard.outcome.replace(after_charge(id, &*steps).await);
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
    outcome: Outcome,
    done: mpsc::UnboundedSender<(TxId, Outcome)>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.done.send((self.id, self.outcome.take()));
    }
}
