// wrong: check_failed a_redis_that_needs_minutes_is_waited_for — no answer for minutes can only mean that the DEL is lost, so it is sent again

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
        let mut del = lock.del(key.clone());
        match timeout(Duration::from_secs(120), &mut del).await {
            Ok(answer) => answer,
            Err(_) => futures::future::join(del, lock.del(key)).await.0,
        }
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
