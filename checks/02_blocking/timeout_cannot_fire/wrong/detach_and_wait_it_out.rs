// wrong: check_failed an_answer_within_the_limit_counts — always waits the whole limit, then looks

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
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
    let answer = spawn_blocking(move || sdk.verify(&token));
    sleep(limit).await;
    match answer.is_finished() {
        true => Ok(answer.await.unwrap_or(false)),
        false => Err(TimedOut),
    }
}
