// right: ugly, but the task goes on whoever asks for it, and the answer comes in time

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::time::Instant;
use tokio::time::{Duration, sleep};

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
    let mut del = tokio::spawn(lock.del(key));
    let end = Instant::now() + limit;
    while !del.is_finished() {
        if Instant::now() >= end {
            return Err(ReleaseError::Timeout);
        }
        sleep(Duration::from_millis(10).min(end - Instant::now())).await;
    }
    match (&mut del).await {
        Ok(answer) => answer.map_err(ReleaseError::Redis),
        Err(_) => Err(ReleaseError::Crashed),
    }
}
