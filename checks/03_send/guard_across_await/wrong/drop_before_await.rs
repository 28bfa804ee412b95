// wrong: does_not_compile "future cannot be sent between threads safely" — the guard is gone before the await, and the compiler seems not to see it

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
    let prices = cache.prices.lock().unwrap();
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    drop(prices);
    let price = origin.fetch(&product).await;
    cache.prices.lock().unwrap().insert(product, price.clone());
    price
}

struct Partner;

impl Origin for Partner {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move { format!("{product} costs 4000 won") })
    }
}

#[tokio::main]
async fn main() {
    let customer = handle(Cache::default(), "tea".to_string(), Arc::new(Partner));
    println!("{}", tokio::spawn(customer).await.unwrap());
}
