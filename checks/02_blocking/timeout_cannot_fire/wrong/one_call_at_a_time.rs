// wrong: check_failed a_slow_check_holds_up_nobody_else — "is the SDK thread-safe?" A lock to be sure, and every customer waits for the slowest

use std::sync::Arc;
use std::sync::Mutex;
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
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let answer = spawn_blocking(move || {
        let _mine = ONE_AT_A_TIME.lock();
        sdk.verify(&token)
    });
    match timeout(limit, answer).await {
        Ok(answer) => Ok(answer.unwrap_or(false)),
        Err(_) => Err(TimedOut),
    }
}
