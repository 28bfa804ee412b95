// right: heavy-handed, but no guard is held over the fetch

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
    let (prices, wanted) = (cache.prices.clone(), product.clone());
    let look = move || prices.lock().unwrap().get(&wanted).cloned();
    if let Some(price) = tokio::task::spawn_blocking(look).await.unwrap() {
        return price;
    }
    let price = origin.fetch(&product).await;
    cache.prices.lock().unwrap().insert(product, price.clone());
    price
}
