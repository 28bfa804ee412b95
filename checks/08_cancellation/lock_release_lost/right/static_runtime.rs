// right: a runtime of its own for all releases: not even the end of the payments' runtime stops a DEL

use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};
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

static RELEASES: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).enable_all();
    builder.build().expect("a thread for the releases")
});

pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let del = RELEASES.spawn(lock.del(key));
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
