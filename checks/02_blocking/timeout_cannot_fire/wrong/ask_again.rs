// wrong: check_failed the_vendor_is_asked_once — a second try in the second half of the time, and a second bill

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
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
    for _ in 0..2 {
        let (token, sdk) = (token.clone(), sdk.clone());
        let answer = spawn_blocking(move || sdk.verify(&token));
        if let Ok(answer) = timeout(limit / 2, answer).await {
            return Ok(answer.unwrap_or(false));
        }
    }
    Err(TimedOut)
}
