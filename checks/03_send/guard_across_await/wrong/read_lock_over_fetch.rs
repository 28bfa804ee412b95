// wrong: hung:waiting the_partner_may_look_into_the_cache_itself — readers share the lock, and the first price that has to be stored meanwhile waits for all of them

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::RwLock;

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
    let prices = cache.prices.read().await;
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    drop(prices);
    let mut prices = cache.prices.write().await;
    prices.insert(product, price.clone());
    price
}
