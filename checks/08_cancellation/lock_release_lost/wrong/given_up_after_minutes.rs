// wrong: check_failed a_redis_that_needs_minutes_is_waited_for — no task for ever: after five minutes the DEL is dropped, and the lock has five more to live

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::time::{Duration, timeout};

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
    let del = tokio::spawn(async move {
        let patience = Duration::from_secs(300);
        let late = RedisError("no answer".into());
        let answer = timeout(patience, lock.del(key)).await;
        answer.unwrap_or(Err(late))
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
