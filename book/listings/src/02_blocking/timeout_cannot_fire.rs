//! A limit around a call that blocks, and the order in which `timeout` looks.

use std::time::Duration;

use tokio::time::timeout;

// ANCHOR: fault
/// `Ok`, however late: the answer is there when `timeout` looks at its clock for the first time.
pub async fn within(limit: Duration, vendor: impl FnOnce() -> bool) -> Option<bool> {
    timeout(limit, async { vendor() }).await.ok()
}
// ANCHOR_END: fault

// ANCHOR: proof
#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "blocks on purpose")]
async fn a_limit_of_a_millisecond_lets_an_answer_of_fifty_pass() {
    let slow = || {
        std::thread::sleep(Duration::from_millis(50));
        true
    };
    assert_eq!(within(Duration::from_millis(1), slow).await, Some(true));
}
// ANCHOR_END: proof
