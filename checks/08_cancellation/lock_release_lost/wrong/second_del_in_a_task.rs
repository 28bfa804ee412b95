// wrong: check_failed the_lock_of_the_next_payment_is_left_alone — the DEL that timed out is sent again from a task

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
        answer = lock.del(key.clone()) => answer.map_err(ReleaseError::Redis),
        _ = sleep(limit) => {
            tokio::spawn(lock.del(key));
            Err(ReleaseError::Timeout)
        }
    }
}
