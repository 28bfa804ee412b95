// wrong: check_failed a_slow_vendor_is_cut_off_at_the_limit — the same fault on another thread: the runtime there is as blind as ours was

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
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
    let answer = spawn_blocking(move || {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async { timeout(limit, async { sdk.verify(&token) }).await })
    });
    answer.await.unwrap().map_err(|_| TimedOut)
}
