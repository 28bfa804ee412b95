//! A limit on the wait for some work, and what it does to the work.

#![allow(
    clippy::disallowed_methods,
    reason = "a task that outlives its caller is what is shown"
)]

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep, timeout};
use tokio_util::task::TaskTracker;

pub trait Lock: Send + Sync {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), String>>;
}

pub enum ReleaseError {
    Timeout,
    Redis(String),
    Crashed,
}

// ANCHOR: fault
pub async fn release(lock: Arc<dyn Lock>, key: String) -> Result<(), ReleaseError> {
    tokio::select! {
        answer = lock.del(key) => answer.map_err(ReleaseError::Redis),
        // When this arm is taken, the future of the other arm is dropped.
        _ = sleep(Duration::from_secs(2)) => Err(ReleaseError::Timeout),
    }
}
// ANCHOR_END: fault

// ANCHOR: timeout_on_the_handle
pub async fn release_in_a_task(
    lock: Arc<dyn Lock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    match timeout(limit, tokio::spawn(lock.del(key))).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
// ANCHOR_END: timeout_on_the_handle

// ANCHOR: tracked
/// `releases` belongs to the service, which closes it at shutdown and then awaits `releases.wait()`.
pub async fn release_tracked(
    releases: &TaskTracker,
    lock: Arc<dyn Lock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    match timeout(limit, releases.spawn(lock.del(key))).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
// ANCHOR_END: tracked

// ANCHOR: oneshot
pub async fn release_and_be_told(
    lock: Arc<dyn Lock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let (told, answer) = oneshot::channel();
    tokio::spawn(async move {
        // The caller may have gone; the lock is free all the same.
        let _ = told.send(lock.del(key).await);
    });
    match timeout(limit, answer).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
// ANCHOR_END: oneshot

// ANCHOR: spawned_at_the_limit
/// Wrong: whoever drops this future before the limit drops the DEL with it.
pub async fn release_rest_in_a_task(
    lock: Arc<dyn Lock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let mut del = lock.del(key);
    tokio::select! {
        answer = &mut del => answer.map_err(ReleaseError::Redis),
        _ = sleep(limit) => {
            tokio::spawn(del);
            Err(ReleaseError::Timeout)
        }
    }
}
// ANCHOR_END: spawned_at_the_limit
