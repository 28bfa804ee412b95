//! Checkout gives the card vendor's fraud check two seconds. On Friday the vendor was slow, and our
//! customers got a 504 after a minute. The log has not one "timed out". Two seconds is deployed.
//! Keep as they are, the checks use them: the trait `FraudSdk`, `TimedOut` and the signature of `verify_within`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;
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
    // ANCHOR: fix
    // `timeout` polls the answer first and looks at its clock when that poll returns. So the poll has
    // to return at once: the call moves to the blocking pool, and what is polled is only its handle.
    let answer = spawn_blocking(move || sdk.verify(&token));
    match timeout(limit, answer).await {
        Ok(Ok(passes)) => Ok(passes),
        // A vendor that crashes has passed nobody: the panic goes on, as it did without the pool.
        Ok(Err(crash)) => std::panic::resume_unwind(crash.into_panic()),
        // Nobody can stop the call itself. It keeps its thread until the vendor answers, so a vendor
        // that never answers needs a limit of its own on the number of calls.
        Err(_) => Err(TimedOut),
    }
    // ANCHOR_END: fix
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
