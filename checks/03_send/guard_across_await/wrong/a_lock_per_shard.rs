// wrong: check_failed all_new_products_are_asked_for_at_the_same_time — a lock for each shard lets some customers through together, and the rest still queue

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
    prices: Arc<[Mutex<HashMap<String, String>>; 16]>,
}

fn shard(product: &str) -> usize {
    product.len() % 16
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let mut prices = cache.prices[shard(&product)].lock().await;
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    prices.insert(product, price.clone());
    price
}
