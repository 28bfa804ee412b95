// right: a thread with a runtime of its own, clumsy but awaited the right way

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::oneshot;
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
    let (tell, answer) = oneshot::channel();
    std::thread::spawn(move || {
        let runtime = Builder::new_current_thread().build().unwrap();
        let _ = tell.send(runtime.block_on(async { sdk.verify(&token) }));
    });
    let answer = timeout(limit, answer).await.map_err(|_| TimedOut)?;
    Ok(answer.unwrap_or(false))
}
