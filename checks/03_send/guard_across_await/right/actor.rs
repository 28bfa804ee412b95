// right: one task owns the map, and the cache is its address: nothing is locked at all

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

/// The partner's price service.
pub trait Origin: Send + Sync {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String>;
}

enum Ask {
    Get(String, oneshot::Sender<Option<String>>),
    Put(String, String),
}

/// The prices of one shop. Clones share them.
#[derive(Clone)]
pub struct Cache {
    ask: mpsc::Sender<Ask>,
}

impl Default for Cache {
    fn default() -> Self {
        let (ask, asked) = mpsc::channel(16);
        tokio::spawn(keep_prices(asked));
        Self { ask }
    }
}

/// Ends when the last clone of the cache is gone.
async fn keep_prices(mut asked: mpsc::Receiver<Ask>) {
    let mut prices = HashMap::new();
    while let Some(ask) = asked.recv().await {
        match ask {
            Ask::Get(product, answer) => {
                let _ = answer.send(prices.get(&product).cloned());
            }
            Ask::Put(product, price) => {
                prices.insert(product, price);
            }
        }
    }
}

pub async fn handle(cache: Cache, product: String, origin: Arc<dyn Origin>) -> String {
    let (answer, known) = oneshot::channel();
    cache
        .ask
        .send(Ask::Get(product.clone(), answer))
        .await
        .unwrap();
    if let Some(price) = known.await.unwrap() {
        return price;
    }
    let price = origin.fetch(&product).await;
    cache
        .ask
        .send(Ask::Put(product, price.clone()))
        .await
        .unwrap();
    price
}
