// wrong: check_failed a_crash_of_the_client_is_told — an arm with a pattern that does not match is switched off, and only the timer is left

use std::sync::Arc;

use futures::future::BoxFuture;
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
    tokio::select! {
        Ok(answer) = tokio::spawn(lock.del(key)) => answer.map_err(ReleaseError::Redis),
        _ = sleep(limit) => Err(ReleaseError::Timeout),
    }
}
