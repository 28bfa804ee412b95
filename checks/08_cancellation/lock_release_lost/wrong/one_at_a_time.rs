// wrong: check_failed no_release_waits_for_another — spares Redis: one DEL at a time, and whoever comes behind a slow one hears Timeout

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Mutex;
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

static REDIS: Mutex<()> = Mutex::const_new(());

pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let del = tokio::spawn(async move {
        let _alone = REDIS.lock().await;
        lock.del(key).await
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
