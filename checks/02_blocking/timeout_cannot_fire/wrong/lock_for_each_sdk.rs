// wrong: check_failed a_slow_check_holds_up_nobody_else — a lock for each SDK, as there might be several: there is one
//! Checkout gives the card vendor's fraud check two seconds. On Friday the vendor was slow, and our
//! customers got a 504 after a minute. The log has not one "timed out". Two seconds is deployed.
//! Keep as they are, the checks use them: the trait `FraudSdk`, `TimedOut` and the signature of `verify_within`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;

/// The vendor's library. It asks the vendor over the network, in its own good time.
pub trait FraudSdk: Send + Sync {
    /// Whether the card behind `token` may pay. Every call costs money.
    fn verify(&self, token: &str) -> bool;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedOut;

/// The vendor's answer for `token`, as soon as it is there. If there is none `limit` after the call,
/// `TimedOut`, at that moment. The vendor is asked once. Nobody waits for another one's check, and no
/// card passes unless the vendor said so.
pub async fn verify_within(
    token: String,
    sdk: Arc<dyn FraudSdk>,
    limit: Duration,
) -> Result<bool, TimedOut> {
    static LOCKS: std::sync::Mutex<Vec<(usize, Arc<std::sync::Mutex<()>>)>> =
        std::sync::Mutex::new(Vec::new());
    let key = Arc::as_ptr(&sdk) as *const () as usize;
    let lock = {
        let mut locks = LOCKS.lock().unwrap();
        match locks.iter().find(|l| l.0 == key) {
            Some(l) => l.1.clone(),
            None => {
                let l = Arc::new(std::sync::Mutex::new(()));
                locks.push((key, l.clone()));
                l
            }
        }
    };
    let job = tokio::task::spawn_blocking(move || {
        let _g = lock.lock();
        sdk.verify(&token)
    });
    match timeout(limit, job).await {
        Ok(a) => Ok(a.unwrap_or(false)),
        Err(_) => Err(TimedOut),
    }
}

/// Sleeping stands for the vendor's network here; the thread is taken either way.
struct Vendor;

impl FraudSdk for Vendor {
    fn verify(&self, token: &str) -> bool {
        if token == "card-2" {
            std::thread::sleep(Duration::from_millis(1_500));
        }
        true
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let limit = Duration::from_millis(200);
    for card in ["card-1", "card-2", "card-3"] {
        let asked = Instant::now();
        let outcome = verify_within(card.to_string(), Arc::new(Vendor), limit).await;
        let took = asked.elapsed().as_millis();
        println!("{card}: {outcome:?} after {took} ms, the limit is 200 ms");
    }
}
