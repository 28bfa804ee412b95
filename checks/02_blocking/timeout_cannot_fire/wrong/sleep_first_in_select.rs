// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — with `biased` the clock is asked first, once, before the call begins

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
        biased;
        _ = sleep(limit) => Err(TimedOut),
        answer = async { sdk.verify(&token) } => Ok(answer),
    }
}
