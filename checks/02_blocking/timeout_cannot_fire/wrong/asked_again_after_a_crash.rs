// wrong: check_failed a_vendor_that_crashes_passes_no_card — a crash is worth a second try, and a second bill
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
    let work = async move {
        for _ in 0..2 {
            let (sdk, token) = (sdk.clone(), token.clone());
            if let Ok(answer) = tokio::task::spawn_blocking(move || sdk.verify(&token)).await {
                return answer;
            }
        }
        false
    };
    timeout(limit, work).await.map_err(|_| TimedOut)
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
