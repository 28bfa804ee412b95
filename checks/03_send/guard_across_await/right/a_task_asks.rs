// right: a task of its own asks, so that the price is stored even if the customer has left

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
    let known = cache.prices.lock().unwrap().get(&product).cloned();
    if let Some(price) = known {
        return price;
    }
    let question = tokio::spawn(async move {
        let price = origin.fetch(&product).await;
        cache.prices.lock().unwrap().insert(product, price.clone());
        price
    });
    question.await.unwrap()
}
