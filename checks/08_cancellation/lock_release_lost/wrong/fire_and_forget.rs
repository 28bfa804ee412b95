// wrong: check_failed a_quick_release_frees_the_lock — a task that nobody waits for: Ok is answered before the lock is free

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::time::Duration;

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
    let _ = limit;
    tokio::spawn(lock.del(key));
    Ok(())
}
