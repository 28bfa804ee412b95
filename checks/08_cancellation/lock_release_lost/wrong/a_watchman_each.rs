// wrong: check_failed releases_leave_nothing_running — a task a release, which looks at its DEL every second, also when that is long done

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::time::{Duration, sleep, timeout};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisError(pub String);

pub trait RedisLock: Send + Sync {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseError {
    Timeout,
    Redis(RedisError),
    Crashed,
}

pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let del = tokio::spawn(lock.del(key));
    let watched = del.abort_handle();
    tokio::spawn(async move {
        while !watched.id().to_string().is_empty() {
            sleep(Duration::from_secs(1)).await;
        }
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
