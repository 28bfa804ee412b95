//! A call without an `.await` in an async function, and a monitor that sees it.

use std::time::{Duration, Instant};

// ANCHOR: fault
/// The keyword changes nothing: there is no point in here where the thread could go to another task.
pub async fn sorted(mut prices: Vec<u64>) -> Vec<u64> {
    prices.sort();
    prices
}
// ANCHOR_END: fault

// ANCHOR: monitor
/// Sleeps, and looks how late it wakes up. Late means: somebody else held this thread, or all of them.
pub async fn watch_the_loop(every: Duration, report: impl Fn(Duration)) {
    loop {
        let asked = Instant::now();
        tokio::time::sleep(every).await;
        let late = asked.elapsed().saturating_sub(every);
        if late > Duration::from_millis(100) {
            report(late);
        }
    }
}
// ANCHOR_END: monitor

#[cfg(test)]
mod tests {
    use super::{Duration, watch_the_loop};

    #[tokio::test]
    #[allow(clippy::disallowed_methods, reason = "holds the thread on purpose")]
    async fn the_monitor_sees_a_held_thread() {
        let (found, mut finds) = tokio::sync::mpsc::channel(16);
        let monitor = watch_the_loop(Duration::from_millis(10), move |late| {
            let _ = found.try_send(late);
        });
        let monitor = tokio::task::spawn(monitor);
        tokio::task::yield_now().await;
        std::thread::sleep(Duration::from_millis(300));
        assert!(finds.recv().await.unwrap() > Duration::from_millis(100));
        monitor.abort();
    }
}
