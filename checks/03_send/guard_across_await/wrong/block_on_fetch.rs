// wrong: hung:blocked every_customer_can_be_a_task_of_its_own — without an await there is nothing to hold a guard across

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
    let mut prices = cache.prices.lock().unwrap();
    let price = prices
        .entry(product)
        .or_insert_with_key(|product| futures::executor::block_on(origin.fetch(product)));
    price.clone()
}
