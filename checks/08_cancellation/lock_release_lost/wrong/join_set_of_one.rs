// wrong: check_failed a_slow_release_still_frees_the_lock — a `JoinSet` aborts its tasks when the function ends

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::task::JoinSet;
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
    let mut dels = JoinSet::new();
    dels.spawn(lock.del(key));
    tokio::select! {
        Some(answer) = dels.join_next() => match answer {
            Ok(answer) => answer.map_err(ReleaseError::Redis),
            Err(_) => Err(ReleaseError::Crashed),
        },
        _ = sleep(limit) => Err(ReleaseError::Timeout),
    }
}
