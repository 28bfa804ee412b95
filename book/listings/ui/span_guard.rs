use tracing::{info, info_span};

async fn charge(user: u64) -> u64 {
    tokio::task::yield_now().await;
    1_000 + user
}

// ANCHOR: entered
async fn pay(user: u64) {
    let _entered = info_span!("pay", user).entered();
    let tx = charge(user).await;
    info!(tx, "charged");
}

fn main() {
    tokio::spawn(pay(1));
}
// ANCHOR_END: entered
