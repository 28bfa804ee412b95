// wrong: check_failed a_customer_who_hangs_up_leaves_no_lock_behind — the rest of the DEL gets a task at the limit; who hangs up before takes the DEL along

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
    let mut del = lock.del(key);
    tokio::select! {
        answer = &mut del => answer.map_err(ReleaseError::Redis),
        _ = sleep(limit) => {
            tokio::spawn(del);
            Err(ReleaseError::Timeout)
        }
    }
}
