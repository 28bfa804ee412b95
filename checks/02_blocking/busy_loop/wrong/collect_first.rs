// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — gives way while adding up, not while reading

use std::future::Ready;
use tokio::task::yield_now;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let mut rows = Vec::new();
    while let Some(row) = src.next_row().await {
        rows.push(row);
    }
    let mut difference = 0;
    for chunk in rows.chunks(1_000) {
        difference += chunk
            .iter()
            .map(|row| row.charged.abs_diff(row.settled))
            .sum::<u64>();
        yield_now().await;
    }
    difference
}
