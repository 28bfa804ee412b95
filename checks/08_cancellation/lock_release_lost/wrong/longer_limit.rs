// wrong: check_failed the_caller_is_answered_at_the_limit — ten times the limit: Redis was only that slow tonight

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
    match timeout(limit * 10, lock.del(key)).await {
        Ok(answer) => answer.map_err(ReleaseError::Redis),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
