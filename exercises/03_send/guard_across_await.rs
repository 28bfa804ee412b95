//! Our partner charges for every price we ask for, so on Monday I put a cache in front of that. The
//! diff was reviewed; now the service does not build, and the compiler points at an old line in `main`.
//! Keep as they are, the checks use them: `Origin`, `Cache` (`Clone`, `Default`), the signature of `handle`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;

/// The partner's price service. For the price of a bundle it asks `handle` itself, for the parts.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, String>>>,
}

/// The price of `product`: a known one at once, any other from `origin`, which is then remembered.
/// Who wants different products does not wait for each other, and who leaves early harms nobody.
pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let mut prices = cache.prices.lock().unwrap();
    if let Some(price) = prices.get(&product) {
        return price.clone();
    }
    // TODO: while this customer waits for the partner, what would all others wait for?
    let price = origin.fetch(&product).await;
    prices.insert(product, price.clone());
    price
}

struct Partner;

impl Origin for Partner {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            format!("{product} costs {} won", 1_000 * product.len())
        })
    }
}

#[tokio::main]
async fn main() {
    let opened = Instant::now();
    let cache = Cache::default();
    let customers = ["tea", "coffee", "milk"].map(|product| {
        let customer = handle(cache.clone(), product.to_string(), Arc::new(Partner));
        tokio::spawn(customer)
    });
    for customer in customers {
        let price = customer.await.unwrap();
        println!("after {} ms: {price}", opened.elapsed().as_millis());
    }
}
