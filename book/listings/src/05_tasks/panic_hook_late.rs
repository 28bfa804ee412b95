//! The panic hook of a process.

use std::io;
use std::panic::{self, PanicHookInfo};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use futures::future::BoxFuture;

/// Pages whoever is on call.
pub trait Alert: Send + Sync {
    fn page(&self, panic: &PanicHookInfo<'_>);
}

// ANCHOR: fault
pub fn serve(boot: BoxFuture<'static, ()>, alert: Arc<dyn Alert>) -> io::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        boot.await;
        panic::set_hook(Box::new(move |info| alert.page(info)));
        answer_requests().await;
    });
    Ok(())
}
// ANCHOR_END: fault

async fn answer_requests() {
    tokio::task::yield_now().await;
}

// ANCHOR: current_alert
static CURRENT: Mutex<Option<Arc<dyn Alert>>> = Mutex::new(None);

pub fn page_by(alert: Arc<dyn Alert>) {
    static ONCE: Once = Once::new();
    *current() = Some(alert);
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Cloned, so that the lock is free while the page goes out.
            let alert = current().clone();
            if let Some(alert) = alert {
                alert.page(info);
            }
            before(info);
        }));
    });
}

fn current() -> MutexGuard<'static, Option<Arc<dyn Alert>>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}
// ANCHOR_END: current_alert

// ANCHOR: spawns
pub fn page_by_a_task() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.to_string();
        // Panics on a thread without a runtime. A panic in a hook ends the process.
        tokio::spawn(send_page(text));
        before(info);
    }));
}
// ANCHOR_END: spawns

async fn send_page(text: String) {
    tokio::task::yield_now().await;
    println!("PAGE: {text}");
}
