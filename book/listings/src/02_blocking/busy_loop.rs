//! Futures that are always ready: how many turns a neighbour gets beside them.

use std::future::ready;

// ANCHOR: fault
/// One poll, however long the list is.
pub async fn total(rows: &[u64]) -> u64 {
    let mut total = 0;
    for &row in rows {
        total += ready(row).await;
    }
    total
}
// ANCHOR_END: fault

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::total;

    // ANCHOR: proof
    #[tokio::test]
    #[allow(clippy::disallowed_methods, reason = "the test owns the task")]
    async fn a_neighbour_gets_no_turn_in_a_thousand_awaits() {
        let turns = Arc::new(AtomicUsize::new(0));
        let counter = turns.clone();
        let neighbour = tokio::spawn(async move {
            loop {
                counter.fetch_add(1, SeqCst);
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(total(&[1; 1_000]).await, 1_000);
        assert_eq!(turns.load(SeqCst), 0);
        neighbour.abort();
    }
    // ANCHOR_END: proof
}
