// right: `select!` between the handle and a sleep is what `timeout` does

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
    tokio::select! {
        answer = answer => Ok(answer.unwrap_or(false)),
        () = sleep(limit) => Err(TimedOut),
    }
}
