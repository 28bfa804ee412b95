// wrong: check_failed a_customer_who_hangs_up_leaves_no_lock_behind — a task costs something, so the DEL gets one only when it turns out slow

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
    let mut del = lock.del(key);
    if let Ok(answer) = timeout(limit / 2, &mut del).await {
        return answer.map_err(ReleaseError::Redis);
    }
    let (del, limit) = (tokio::spawn(del), limit / 2);
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
