// right: whoever wants a product while it is asked for shares the question, and goes on with it if the first one leaves

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

type Question = Shared<BoxFuture<'static, String>>;

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, Question>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let question = {
        let mut prices = cache.prices.lock().unwrap();
        let question = prices.entry(product.clone()).or_insert_with(|| {
            let ask = async move { origin.fetch(&product).await };
            ask.boxed().shared()
        });
        question.clone()
    };
    question.await
}
