// right: a crash of the vendor is one of ours, by `expect`

use std::sync::Arc;
use std::time::Duration;

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
    timeout(limit, spawn_blocking(move || sdk.verify(&token)))
        .await
        .map(|answer| answer.expect("the vendor crashed"))
        .map_err(|_| TimedOut)
}
