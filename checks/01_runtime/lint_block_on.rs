//! Clippy reads this under the learner's clippy.toml. Each documented function is a check: clippy must refuse its lines
//! that end in `//~ refused`, and no other line. The documentation is what the learner reads when it fails.

use std::time::Duration;

use tokio::runtime::{Handle, Runtime};

async fn pay() {}

/// a handler that enters its own runtime by a handle was merged: the lint job stayed green
pub async fn a_handle_that_blocks_is_refused(handle: Handle) {
    handle.block_on(pay()); //~ refused
    Handle::current().block_on(pay()); //~ refused
}

/// a handler that enters its own runtime by a handle was merged: it was written as a function of the type
pub async fn a_handle_that_blocks_is_refused_in_its_long_form(handle: &Handle) {
    Handle::block_on(handle, pay()); //~ refused
}

/// a handler that builds a runtime of its own for each call was merged: the lint job stayed green
pub async fn a_runtime_that_blocks_is_refused(runtime: Runtime) {
    runtime.block_on(pay()); //~ refused
}

/// a handler that parks its worker in `futures` was merged: the lint job stayed green
pub async fn a_block_on_of_futures_is_refused() {
    futures::executor::block_on(pay()); //~ refused
}

/// a handler that parks its worker in `futures` was merged: it had imported the function first
pub async fn an_imported_block_on_is_refused() {
    use futures::executor::block_on;
    block_on(pay()); //~ refused
}

/// a handler that puts its thread to sleep was merged, and every other request of the thread slept with it
pub async fn a_sleeping_thread_is_refused() {
    std::thread::sleep(Duration::from_millis(1)); //~ refused
}

/// a handler that reads a file on its worker was merged: the disk was slow, and so was everybody
pub async fn a_file_that_is_read_on_the_worker_is_refused() {
    let _ = std::fs::read("logo.png"); //~ refused
}

/// the lint job went red over code that is in order: the next team will switch it off
pub async fn what_the_service_needs_stays_free() {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let _ = tokio::fs::read("logo.png").await;
    let _ = std::fs::metadata("logo.png");
    let _ = std::fs::exists("logo.png");
    let _ = std::fs::remove_file("logo.png");
    let _ = tokio::fs::write("logo.png", "").await;
    let _ = std::thread::spawn(|| 1).join();
    std::thread::yield_now();
    let _ = Runtime::new();
    let _ = Handle::try_current();
    let _ = Handle::current().spawn(pay());
    let _ = tokio::task::spawn_blocking(|| 1).await;
    futures::future::join_all([pay(), pay()]).await;
}

/// a closure on the blocking pool may read files once it says why, and the lint job went red all the same
pub async fn a_stated_exception_is_free() {
    let read = tokio::task::spawn_blocking(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "on a thread of the blocking pool"
        )]
        std::fs::read("logo.png")
    });
    let _ = read.await;
}
