// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — ten times the limit: it does not fire either

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
    let answer = async move { sdk.verify(&token) };
    timeout(10 * limit, answer).await.map_err(|_| TimedOut)
}
