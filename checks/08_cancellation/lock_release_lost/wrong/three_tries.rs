// wrong: check_failed a_slow_release_still_frees_the_lock — three tries, each cut off in the same place

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
    for _ in 0..3 {
        if let Ok(answer) = timeout(limit / 3, lock.del(key.clone())).await {
            return answer.map_err(ReleaseError::Redis);
        }
    }
    Err(ReleaseError::Timeout)
}
