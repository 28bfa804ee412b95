// wrong: check_failed a_release_sends_one_del_however_it_ends — nobody hears of an error after the limit, so the task tries again; by then the lock is somebody else's

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::time::{Duration, Instant, timeout};

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
    let start = Instant::now();
    let del = tokio::spawn(async move {
        let answer = lock.del(key.clone()).await;
        match answer {
            Err(_) if start.elapsed() > limit => lock.del(key).await,
            answer => answer,
        }
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
