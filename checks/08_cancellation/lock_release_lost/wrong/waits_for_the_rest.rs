// wrong: check_failed the_caller_is_answered_at_the_limit — carries on with the DEL after the limit, and lets the caller wait for it

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
    let mut del = lock.del(key);
    tokio::select! {
        answer = &mut del => answer.map_err(ReleaseError::Redis),
        _ = sleep(limit) => {
            let _ = del.await;
            Err(ReleaseError::Timeout)
        }
    }
}
