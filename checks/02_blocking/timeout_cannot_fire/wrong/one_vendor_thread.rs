// wrong: check_failed a_slow_check_holds_up_nobody_else — one thread for the vendor, one queue before it, one slow call stops all

use std::sync::Arc;
use std::sync::{OnceLock, mpsc};
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
    static VENDOR: OnceLock<mpsc::Sender<Call>> = OnceLock::new();
    let vendor = VENDOR.get_or_init(|| {
        let (calls, queue) = mpsc::channel::<Call>();
        std::thread::spawn(move || {
            for (token, sdk, tell) in queue {
                let _ = tell.send(sdk.verify(&token));
            }
        });
        calls
    });
    let (tell, answer) = oneshot::channel();
    vendor.send((token, sdk, tell)).unwrap();
    match timeout(limit, answer).await {
        Ok(answer) => Ok(answer.unwrap_or(false)),
        Err(_) => Err(TimedOut),
    }
}

type Call = (String, Arc<dyn FraudSdk>, oneshot::Sender<bool>);
