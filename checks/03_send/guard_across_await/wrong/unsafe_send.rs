// wrong: hung:blocked all_new_products_are_asked_for_at_the_same_time — the compiler is told that it is wrong, and was right

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

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

/// Sound, surely: the guard is only ever used by one task.
struct Anywhere<'a>(MutexGuard<'a, HashMap<String, String>>);

unsafe impl Send for Anywhere<'_> {}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let mut prices = Anywhere(cache.prices.lock().unwrap());
    if let Some(price) = prices.0.get(&product) {
        return price.clone();
    }
    let price = origin.fetch(&product).await;
    prices.0.insert(product, price.clone());
    price
}
