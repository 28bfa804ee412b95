//! The service that `lint_block_on.toml` is to protect. `main` enters the runtime, once; everything else awaits.
//! Keep as it is: `pub async fn charge(order: u64) -> u64`.

use std::time::Duration;

use tokio::time::sleep;

/// Writes the charge to the database; gives back its number.
async fn persist(order: u64) -> u64 {
    sleep(Duration::from_millis(5)).await;
    order + 1000
}

pub async fn charge(order: u64) -> u64 {
    let (done, number) = std::sync::mpsc::channel();
    tokio::spawn(async move { done.send(persist(order).await) });
    number.recv().unwrap_or_default()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that enters the runtime"
)]
fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("the system gives us a runtime");
    runtime.block_on(async {
        let charged = tokio::spawn(charge(7)).await;
        match charged {
            Ok(number) => println!("order 7 was charged as {number}"),
            Err(error) => println!("order 7: {error}. CI was green."),
        }
    });
}
