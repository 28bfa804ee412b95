// right: `abort` at the limit: it stops nothing that runs, but a call still in the queue is never made

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

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
    let deadline = Instant::now() + limit;
    let mut answer = spawn_blocking(move || sdk.verify(&token));
    match timeout_at(deadline, &mut answer).await {
        Ok(answer) => Ok(answer.unwrap_or(false)),
        Err(_) => {
            answer.abort();
            Err(TimedOut)
        }
    }
}
