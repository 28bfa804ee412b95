// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — a thread of its own, and `join` waits for it on this one

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
    let answer = std::thread::spawn(move || sdk.verify(&token));
    timeout(limit, async move { answer.join().unwrap_or(false) })
        .await
        .map_err(|_| TimedOut)
}
