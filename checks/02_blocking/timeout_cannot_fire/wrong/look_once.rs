// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — the answer is taken if it is there already

use futures::FutureExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{spawn_blocking, yield_now};

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
    let answer = spawn_blocking(move || sdk.verify(&token));
    yield_now().await;
    let _ = limit;
    answer.now_or_never().and_then(Result::ok).ok_or(TimedOut)
}
