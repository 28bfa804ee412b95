// right: a plain thread that tells its answer through a oneshot

use std::sync::Arc;
use std::time::Duration;

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
        let _ = tell.send(sdk.verify(&token));
    });
    match timeout(limit, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(_)) => Ok(false),
        Err(_) => Err(TimedOut),
    }
}
