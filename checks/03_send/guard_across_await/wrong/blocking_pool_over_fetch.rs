// wrong: hung:blocked all_new_products_are_asked_for_at_the_same_time — a thread of the pool may hold any guard, so it holds it over the fetch

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
    let runtime = tokio::runtime::Handle::current();
    let lookup = tokio::task::spawn_blocking(move || {
        let mut prices = cache.prices.lock().unwrap();
        if let Some(price) = prices.get(&product) {
            return price.clone();
        }
        let price = runtime.block_on(origin.fetch(&product));
        prices.insert(product, price.clone());
        price
    });
    lookup.await.unwrap()
}
