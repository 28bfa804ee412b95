// wrong: check_failed a_quick_release_frees_the_lock — a thread of its own, where the Redis client finds no runtime

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::oneshot;
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
    let (told, answer) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = told.send(futures::executor::block_on(lock.del(key)));
    });
    match timeout(limit, answer).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
