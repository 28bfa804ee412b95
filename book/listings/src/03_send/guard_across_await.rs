//! Guards and `.await`: what compiles although it hangs, and a shape that cannot go wrong.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

async fn fetch(product: &str) -> String {
    tokio::task::yield_now().await;
    format!("{product} costs 3000 won")
}

// ANCHOR: compiles_and_hangs
#[expect(clippy::await_holding_lock, reason = "the fault of this page")]
async fn price(prices: &Mutex<HashMap<String, String>>, product: &str) -> String {
    let mut prices = prices.lock().unwrap();
    if let Some(price) = prices.get(product) {
        return price.clone();
    }
    let price = fetch(product).await;
    prices.insert(product.to_string(), price.clone());
    price
}

/// Nobody asks for `Send` here: `join!` polls both on the thread of this one task.
pub async fn two_customers(prices: &Mutex<HashMap<String, String>>) -> (String, String) {
    tokio::join!(price(prices, "tea"), price(prices, "milk"))
}
// ANCHOR_END: compiles_and_hangs

// ANCHOR: get_and_put
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, String>>>,
}

impl Cache {
    pub fn get(&self, product: &str) -> Option<String> {
        self.prices.lock().unwrap().get(product).cloned()
    }

    pub fn put(&self, product: String, price: String) {
        self.prices.lock().unwrap().insert(product, price);
    }
}
// ANCHOR_END: get_and_put
