// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — nobody waits, and nobody is checked

use std::sync::Arc;
use std::time::Duration;

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
    let _ = (token, sdk, limit);
    Err(TimedOut)
}
