// right: a `Shared` future: the task drives it, the caller only looks

use std::sync::Arc;

use futures::FutureExt;
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
    let del = tokio::spawn(lock.del(key)).map(|end| match end {
        Ok(answer) => answer.map_err(ReleaseError::Redis),
        Err(_) => Err(ReleaseError::Crashed),
    });
    let del = del.shared();
    timeout(limit, del.clone())
        .await
        .unwrap_or(Err(ReleaseError::Timeout))
}
