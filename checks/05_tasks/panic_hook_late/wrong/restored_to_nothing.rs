// wrong: check_failed the_hook_that_was_there_still_runs — takes its hook away at the end, and with it the one that was there
//! Since March every panic pages whoever is on call, and by day that works. On Tuesday the price feed died
//! while the service started: nobody was paged, and prices stood still until noon. After a page, the log that
//! the platform team's hook writes has no line for the panic either.
//! Keep as they are, the checks use them: `Alert`, `serve`.

use std::io;
use std::panic::{self, PanicHookInfo};
use std::sync::{Arc, Once};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::Builder;

/// Pages whoever is on call.
pub trait Alert: Send + Sync {
    fn page(&self, message: &str, file: &str, line: u32);
}

/// Starts the service, runs it for its time, and comes back. While it starts and runs, every panic in this
/// process pages once, on whichever thread it happens. What the process did about panics before, it still
/// does. An admin may restart the service in the same process, with the same `alert`.
pub fn serve(boot: BoxFuture<'static, ()>, alert: Arc<dyn Alert>) -> io::Result<()> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            page(info, &*alert);
            before(info);
        }));
    });
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        boot.await;
        answer_requests().await;
    });
    drop(panic::take_hook());
    Ok(())
}

fn page(info: &PanicHookInfo<'_>, alert: &dyn Alert) {
    let message = match info.payload().downcast_ref::<&str>() {
        Some(message) => message,
        None => info
            .payload()
            .downcast_ref::<String>()
            .map_or("?", |message| message),
    };
    let (file, line) = info
        .location()
        .map_or(("?", 0), |at| (at.file(), at.line()));
    alert.page(message, file, line);
}

async fn answer_requests() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

struct Pager;

impl Alert for Pager {
    fn page(&self, message: &str, file: &str, line: u32) {
        println!("PAGE: {message} ({file}:{line})");
    }
}

async fn start_jobs() {
    let feed = tokio::spawn(async { panic!("price feed: no symbols") });
    println!("price feed started");
    while !feed.is_finished() {
        tokio::task::yield_now().await;
    }
    println!("settlement started");
    tokio::spawn(async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        panic!("settlement: no account");
    });
}

fn main() -> io::Result<()> {
    serve(Box::pin(start_jobs()), Arc::new(Pager))
}
