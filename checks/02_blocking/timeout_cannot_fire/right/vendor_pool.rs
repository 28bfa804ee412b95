// right: a pool of one's own, eight threads that live as long as the service

use std::sync::Arc;
use std::sync::{Mutex, OnceLock, mpsc};
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
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..8 {
            let queue = queue.clone();
            std::thread::spawn(move || {
                loop {
                    let call = queue.lock().unwrap().recv();
                    let Ok((token, sdk, tell)) = call else { return };
                    let _ = tell.send(sdk.verify(&token));
                }
            });
        }
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
