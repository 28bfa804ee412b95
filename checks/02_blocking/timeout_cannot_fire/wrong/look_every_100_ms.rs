// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — looks ten times a second, so every answer and every limit is late

use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

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
        sleep(Duration::from_millis(100)).await;
    }
    Ok(answer.await.unwrap_or(false))
}
