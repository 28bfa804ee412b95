//! Many handlers that wait.

use std::time::Duration;

use futures::future::join_all;
use tokio::runtime::Handle;
use tokio::task;
use tokio::time::sleep;

async fn page(user: u64) -> String {
    sleep(Duration::from_millis(100)).await;
    format!("page of {user}")
}

// ANCHOR: fault
#[allow(clippy::disallowed_methods, reason = "the fault of this page")]
pub async fn serve(users: Vec<u64>) -> Vec<String> {
    let mut running = Vec::new();
    for user in users {
        let runtime = Handle::current();
        running.push(task::spawn_blocking(move || runtime.block_on(page(user))));
    }
    let mut pages = Vec::new();
    for request in running {
        pages.push(request.await.expect("a page does not panic"));
    }
    pages
}
// ANCHOR_END: fault

// ANCHOR: join_all
pub async fn serve_in_one_task(users: Vec<u64>) -> Vec<String> {
    join_all(users.into_iter().map(page)).await
}
// ANCHOR_END: join_all
