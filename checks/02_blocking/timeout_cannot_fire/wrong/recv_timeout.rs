// wrong: hung:blocked a_slow_vendor_is_cut_off_at_the_limit — the limit holds for this customer, and nobody else is served until then

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

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
    let (tell, answer) = mpsc::channel();
    thread::spawn(move || {
        let _ = tell.send(sdk.verify(&token));
    });
    answer.recv_timeout(limit).map_err(|_| TimedOut)
}
