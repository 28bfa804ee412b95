// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — every 10 ms by the clock: how many rows that is, nobody knows

use std::future::Ready;
use std::time::{Duration, Instant};
use tokio::task::yield_now;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (mut difference, mut last) = (0, Instant::now());
    while let Some(row) = src.next_row().await {
        difference += row.charged.abs_diff(row.settled);
        if last.elapsed() > Duration::from_millis(10) {
            yield_now().await;
            last = Instant::now();
        }
    }
    difference
}
