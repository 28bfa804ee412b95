// wrong: panicked a_crash_of_the_client_is_told — `unwrap` on the handle hands the panic of the client on to the payment

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
    match timeout(limit, tokio::spawn(lock.del(key))).await {
        Ok(end) => end.unwrap().map_err(ReleaseError::Redis),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
