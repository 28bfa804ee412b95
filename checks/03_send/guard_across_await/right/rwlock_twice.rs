// right: readers do not even wait for each other

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use futures::future::BoxFuture;

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<RwLock<HashMap<String, String>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let known = cache.prices.read().unwrap().get(&product).cloned();
    if let Some(price) = known {
        return price;
    }
    let price = origin.fetch(&product).await;
    cache.prices.write().unwrap().insert(product, price.clone());
    price
}
