// right: counts from 0 and gives way before the first row

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
    let (mut difference, mut rows) = (0, 0u64);
    loop {
        if rows.is_multiple_of(1_000) {
            yield_now().await;
        }
        let Some(row) = src.next_row().await else {
            return difference;
        };
        difference += row.charged.abs_diff(row.settled);
        rows += 1;
    }
}
