// wrong: check_failed two_customers_may_want_the_same_product_at_once — an empty price keeps the place, so that nobody asks twice, and the second customer is told it

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
    {
        let mut prices = cache.prices.lock().unwrap();
        if let Some(price) = prices.get(&product) {
            return price.clone();
        }
        prices.insert(product.clone(), String::new());
    }
    let price = origin.fetch(&product).await;
    cache.prices.lock().unwrap().insert(product, price.clone());
    price
}
