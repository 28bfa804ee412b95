// right: a real pause every 1,000 rows: slow, but everybody gets a turn

use std::future::Ready;
use std::time::Duration;
use tokio::time::sleep;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (mut difference, mut rows) = (0, 0u64);
    while let Some(row) = src.next_row().await {
        difference += row.charged.abs_diff(row.settled);
        rows += 1;
        if rows.is_multiple_of(1_000) {
            sleep(Duration::from_millis(1)).await;
        }
    }
    difference
}
