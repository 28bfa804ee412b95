//! Two calls that do not need each other.

use std::time::Duration;

use tokio::time::sleep;

async fn user(id: u64) -> Result<String, String> {
    sleep(Duration::from_secs(1)).await;
    Ok(format!("user {id}"))
}

async fn orders(id: u64) -> Result<Vec<u64>, String> {
    sleep(Duration::from_secs(1)).await;
    Ok(vec![id])
}

// ANCHOR: fault
pub async fn page(id: u64) -> Result<(String, Vec<u64>), String> {
    let user = user(id).await?;
    let orders = orders(id).await?;
    Ok((user, orders))
}
// ANCHOR_END: fault

// ANCHOR: made_first
pub async fn still_two_seconds(id: u64) -> Result<(String, Vec<u64>), String> {
    let user = user(id);
    let orders = orders(id);
    // Neither has begun.
    Ok((user.await?, orders.await?))
}
// ANCHOR_END: made_first

// ANCHOR: two_tasks
pub async fn in_two_tasks(id: u64) -> Result<(String, Vec<u64>), String> {
    let user = tokio::spawn(user(id));
    let orders = tokio::spawn(orders(id));
    // Both are on their way; it does not matter which one is awaited first.
    let user = user.await.map_err(|end| end.to_string())??;
    let orders = orders.await.map_err(|end| end.to_string())??;
    Ok((user, orders))
}
// ANCHOR_END: two_tasks
