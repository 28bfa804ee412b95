// wrong: check_failed a_lock_is_released_as_often_as_it_was_taken — a DEL for this key is under way, so all is well: Ok is answered before the lock is free

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

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

static UNDER_WAY: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    if !UNDER_WAY.lock().unwrap().insert(key.clone()) {
        return Ok(());
    }
    let del = tokio::spawn(async move {
        let answer = lock.del(key.clone()).await;
        UNDER_WAY.lock().unwrap().remove(&key);
        answer
    });
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
