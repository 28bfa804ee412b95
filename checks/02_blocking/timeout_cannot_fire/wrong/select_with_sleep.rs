// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — the same race written by hand: both sides are polled by one thread

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

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
    tokio::select! {
        answer = async { sdk.verify(&token) } => Ok(answer),
        _ = sleep(limit) => Err(TimedOut),
    }
}
