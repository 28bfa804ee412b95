// wrong: check_failed prices_that_arrive_together_are_all_kept — nobody queues, but whoever finds the lock taken pays and stores nothing

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::Mutex;

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
    let Ok(mut prices) = cache.prices.try_lock() else {
        return origin.fetch(&product).await;
    };
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    prices.insert(product, price.clone());
    price
}
