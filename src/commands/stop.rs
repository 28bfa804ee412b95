//! Ctrl-C and SIGTERM for commands that are not watch mode: the work is dropped, and with it its processes.

use anyhow::Result;

use crate::exit::Outcome;

pub(super) async fn or_stopped(work: impl Future<Output = Result<Outcome>>) -> Result<Outcome> {
    // Cancel safe: processes end in Drop, files are replaced whole (exercise lock_release_lost).
    tokio::select! {
        outcome = work => outcome,
        () = stopped() => Ok(Outcome::Interrupted),
    }
}

#[cfg(unix)]
async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    let streams: Vec<_> = signals
        .into_iter()
        .filter_map(|kind| signal(kind).ok())
        .collect();
    let waits = streams
        .into_iter()
        .map(|mut stream| Box::pin(async move { stream.recv().await }));
    let waits: Vec<_> = waits.collect();
    if waits.is_empty() {
        std::future::pending::<()>().await;
    }
    futures::future::select_all(waits).await;
}

#[cfg(not(unix))]
async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
