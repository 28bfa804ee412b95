// right: no task until it is needed: whatever drops the guard, the rest of the DEL goes on in a task

use std::panic::AssertUnwindSafe;
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
    let mut rest = Rest(Some(lock.del(key)));
    let del = rest.0.as_mut().expect("taken in drop only");
    let ended = timeout(limit, AssertUnwindSafe(del).catch_unwind()).await;
    if ended.is_ok() {
        rest.0 = None;
    }
    match ended {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_panic)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}

struct Rest(Option<BoxFuture<'static, Result<(), RedisError>>>);

impl Drop for Rest {
    fn drop(&mut self) {
        if let Some(del) = self.0.take() {
            tokio::spawn(del);
        }
    }
}
