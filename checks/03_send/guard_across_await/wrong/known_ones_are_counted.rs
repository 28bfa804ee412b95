// wrong: check_failed a_known_price_is_told_while_the_partner_is_busy — the fetch holds only a read lock, but a known price has to be counted under the write lock

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use tokio::sync::RwLock;

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, String>>>,
    /// How often each price was of use.
    hits: Arc<RwLock<HashMap<String, u64>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let known = cache.prices.lock().unwrap().get(&product).cloned();
    if let Some(price) = known {
        *cache.hits.write().await.entry(product).or_default() += 1;
        return price;
    }
    let hits = cache.hits.read().await;
    if let Some(hits) = hits.get(&product) {
        println!("{product} was of use {hits} times, and is not known any more");
    }
    let price = origin.fetch(&product).await;
    cache.prices.lock().unwrap().insert(product, price.clone());
    price
}
