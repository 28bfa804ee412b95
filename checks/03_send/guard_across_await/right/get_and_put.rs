// right: two small synchronous methods own the lock, so no caller can hold it across an await

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

impl Cache {
    fn get(&self, product: &str) -> Option<String> {
        self.prices.lock().unwrap().get(product).cloned()
    }

    fn put(&self, product: String, price: String) {
        self.prices.lock().unwrap().insert(product, price);
    }
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    if let Some(price) = cache.get(&product) {
        return price;
    }
    let price = origin.fetch(&product).await;
    cache.put(product, price.clone());
    price
}
