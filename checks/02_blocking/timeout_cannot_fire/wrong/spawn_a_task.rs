// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — a task of its own is not a thread of its own

use std::sync::Arc;
use std::time::Duration;

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
    let answer = tokio::spawn(async move { sdk.verify(&token) });
    match timeout(limit, answer).await {
        Ok(answer) => Ok(answer.unwrap_or(false)),
        Err(_) => Err(TimedOut),
    }
}
