// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — made for the multi-thread runtime only, and the timer is not polled there either

use std::sync::Arc;
use std::time::Duration;

use tokio::task::block_in_place;
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
    let answer = async move { block_in_place(|| sdk.verify(&token)) };
    timeout(limit, answer).await.map_err(|_| TimedOut)
}
