// wrong: check_failed a_customer_who_leaves_harms_nobody_else — the others wait to be told; if the first one leaves, nobody ever tells them

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use tokio::sync::watch;

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

type Price = watch::Receiver<Option<String>>;

struct Asked {
    price: Price,
    teller: watch::Sender<Option<String>>,
}

/// The prices of one shop. Clones share them.
#[derive(Clone, Default)]
pub struct Cache {
    prices: Arc<Mutex<HashMap<String, Asked>>>,
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let asked = cache
        .prices
        .lock()
        .unwrap()
        .get(&product)
        .map(|asked| asked.price.clone());
    if let Some(mut price) = asked {
        let told = price.wait_for(Option::is_some).await.unwrap();
        return told.clone().unwrap_or_default();
    }
    let (teller, price) = watch::channel(None);
    cache
        .prices
        .lock()
        .unwrap()
        .insert(product.clone(), Asked { price, teller });
    let price = origin.fetch(&product).await;
    let prices = cache.prices.lock().unwrap();
    let _ = prices[&product].teller.send(Some(price.clone()));
    price
}
