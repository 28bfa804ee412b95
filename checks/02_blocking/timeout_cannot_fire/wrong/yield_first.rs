// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — one turn for the others before the call, none during it

use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
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
    let answer = async move {
        yield_now().await;
        sdk.verify(&token)
    };
    timeout(limit, answer).await.map_err(|_| TimedOut)
}
