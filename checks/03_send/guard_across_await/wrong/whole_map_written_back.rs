// wrong: check_failed prices_that_arrive_together_are_all_kept — a copy of the map is Send, and the last writer wins

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, String>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let mut prices = cache.prices.lock().unwrap().clone();
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    prices.insert(product, price.clone());
    *cache.prices.lock().unwrap() = prices;
    price
}
