// right: since edition 2024 the guard in an `if let` ends before what follows; in a `match` it would live on

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
    if let Some(price) = cache.prices.lock().unwrap().get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    cache.prices.lock().unwrap().insert(product, price.clone());
    price
}
