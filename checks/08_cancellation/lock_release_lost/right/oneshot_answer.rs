// right: the task answers through a oneshot; a panic closes it

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::oneshot;
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
    let (told, answer) = oneshot::channel();
    tokio::spawn(async move {
        let _ = told.send(lock.del(key).await);
    });
    tokio::select! {
        answer = answer => match answer {
            Ok(answer) => answer.map_err(ReleaseError::Redis),
            Err(_) => Err(ReleaseError::Crashed),
        },
        _ = sleep(limit) => Err(ReleaseError::Timeout),
    }
}
