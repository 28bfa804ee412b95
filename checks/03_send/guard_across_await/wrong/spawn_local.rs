// wrong: panicked every_customer_can_be_a_task_of_its_own — a local task needs no Send, but the service runs no LocalSet

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
    let lookup = tokio::task::spawn_local(async move {
        let mut prices = cache.prices.lock().unwrap();
        if let Some(price) = prices.get(&product) {
            return price.clone();
        }
        let price = origin.fetch(&product).await;
        prices.insert(product, price.clone());
        price
    });
    lookup.await.unwrap()
}
