// right: a `JoinSet` runs blocking jobs too

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
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
    let mut calls = JoinSet::new();
    calls.spawn_blocking(move || sdk.verify(&token));
    match timeout(limit, calls.join_next()).await {
        Ok(Some(answer)) => Ok(answer.unwrap_or(false)),
        Ok(None) => Ok(false),
        Err(_) => Err(TimedOut),
    }
}
