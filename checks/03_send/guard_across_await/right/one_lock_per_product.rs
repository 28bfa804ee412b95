// right: only customers who want the very same new product wait for each other

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

type Slot = Arc<tokio::sync::Mutex<Option<String>>>;

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, Slot>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let slot = {
        let mut prices = cache.prices.lock().unwrap();
        prices.entry(product.clone()).or_default().clone()
    };
    let mut price = slot.lock().await;
    if price.is_none() {
        *price = Some(origin.fetch(&product).await);
    }
    price.clone().unwrap_or_default()
}
