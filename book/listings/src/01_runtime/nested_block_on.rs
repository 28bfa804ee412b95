//! `block_on` on a thread that polls, and at the border to code that is not async.

use std::io;

use tokio::runtime::{Builder, Handle};

pub trait Db {
    fn name_of(&self, user: u64) -> impl Future<Output = String>;
}

// ANCHOR: fault
#[expect(clippy::disallowed_methods, reason = "the fault of this page")]
pub async fn greeting(user: u64, db: &impl Db) -> String {
    let name = Handle::current().block_on(db.name_of(user));
    format!("hello, {name}")
}
// ANCHOR_END: fault

// ANCHOR: border
/// Not async: nothing else needs the thread that runs this, so it may wait.
#[expect(
    clippy::disallowed_methods,
    reason = "the border to code that is not async"
)]
pub fn print_greeting(user: u64, db: &impl Db) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let name = runtime.block_on(db.name_of(user));
    println!("hello, {name}");
    Ok(())
}
// ANCHOR_END: border

// ANCHOR: both_refuse
#[test]
#[allow(clippy::disallowed_methods, reason = "shows what it does")]
fn both_kinds_of_runtime_refuse() {
    let one_thread = Builder::new_current_thread().build().unwrap();
    let workers = Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    for runtime in [one_thread, workers] {
        let task = runtime.spawn(async { Handle::current().block_on(async {}) });
        let end = runtime.block_on(task).unwrap_err();
        assert!(end.is_panic());
    }
}
// ANCHOR_END: both_refuse
