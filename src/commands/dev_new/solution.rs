//! Orders are taken all day, and at night the counter stands at zero.
//!
//! The checks call `Counter`, `Counter::total` and `take`; keep their signatures.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Counter {
    total: AtomicU64,
}

impl Counter {
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    async fn add(&self, items: u64) {
        self.total.fetch_add(items, Ordering::Relaxed);
    }
}

/// Takes an order; when this returns, it is counted.
pub async fn take(items: u64, counter: &Counter) {
    // The body of an async function runs when its future is polled, and not before: `let _ =` only drops it.
    counter.add(items).await;
}

#[tokio::main]
async fn main() {
    let counter = Counter::default();
    take(3, &counter).await;
    println!("took 3 items, counted {}", counter.total());
}
