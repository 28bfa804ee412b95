// right: no more than 64 calls at a time, and waiting for a place counts against the limit

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

pub trait FraudSdk: Send + Sync {
    fn verify(&self, token: &str) -> bool;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedOut;

pub async fn verify_within(
    token: String,
    sdk: Arc<dyn FraudSdk>,
    limit: Duration,
) -> Result<bool, TimedOut> {
    static PLACES: Semaphore = Semaphore::const_new(64);
    let answer = async move {
        let place = PLACES.acquire().await.unwrap();
        let job = spawn_blocking(move || {
            let _place = place;
            sdk.verify(&token)
        });
        job.await.unwrap_or(false)
    };
    timeout(limit, answer).await.map_err(|_| TimedOut)
}
