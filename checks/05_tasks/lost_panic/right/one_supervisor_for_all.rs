// right: one task for the whole service supervises every charge; it waits for the next batch, and nothing says that it may not

use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

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

type Outcome = Result<(), String>;

struct Watch {
    id: TxId,
    task: JoinHandle<Outcome>,
    told: oneshot::Sender<(TxId, Result<Outcome, tokio::task::JoinError>)>,
}

static SUPERVISOR: LazyLock<mpsc::Sender<Watch>> = LazyLock::new(|| {
    let (watch, mut watched) = mpsc::channel::<Watch>(64);
    tokio::spawn(async move {
        while let Some(Watch { id, task, told }) = watched.recv().await {
            tokio::spawn(async move {
                let _ = told.send((id, task.await));
            });
        }
    });
    watch
});

pub async fn run_after_charge(ids: Vec<TxId>, steps: Arc<dyn Steps>) -> Report {
    let mut ends = Vec::new();
    for id in ids {
        let steps = steps.clone();
        let task = tokio::spawn(async move { after_charge(id, &*steps).await });
        let (told, end) = oneshot::channel();
        let _ = SUPERVISOR.send(Watch { id, task, told }).await;
        ends.push(end);
    }
    let mut report = Report::default();
    for end in ends {
        match end
            .await
            .expect("the supervisor lives as long as the service")
        {
            (id, Ok(Ok(()))) => report.ok.push(id),
            (id, Ok(Err(reason))) => report.failed.push((id, reason)),
            (id, Err(end)) if end.is_panic() => report.panicked.push(id),
            (id, Err(end)) => report.failed.push((id, end.to_string())),
        }
    }
    report
}

async fn after_charge(id: TxId, steps: &dyn Steps) -> Result<(), String> {
    steps.send_receipt(id).await?;
    steps.queue_settlement(id).await
}
