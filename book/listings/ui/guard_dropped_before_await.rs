use std::collections::HashMap;
use std::sync::{Arc, Mutex};

async fn fetch(product: &str) -> String {
    tokio::task::yield_now().await;
    format!("{product} costs 3000 won")
}

async fn price(prices: Arc<Mutex<HashMap<String, String>>>, product: String) -> String {
    let known = prices.lock().unwrap();
    if let Some(price) = known.get(&product) {
        return price.clone();
    }
    drop(known);
    let price = fetch(&product).await;
    prices.lock().unwrap().insert(product, price.clone());
    price
}

fn main() {
    let prices = Arc::default();
    tokio::spawn(price(prices, "tea".to_string()));
}
