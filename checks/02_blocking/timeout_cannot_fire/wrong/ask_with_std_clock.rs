// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — asks all the time, and by a clock that `advance` does not move

use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

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
    let asked = Instant::now();
    let answer = spawn_blocking(move || sdk.verify(&token));
    while !answer.is_finished() {
        if asked.elapsed() >= limit {
            return Err(TimedOut);
        }
        yield_now().await;
    }
    Ok(answer.await.unwrap_or(false))
}
