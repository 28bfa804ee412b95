// wrong: check_failed the_total_is_right_to_the_last_row — `select!` with a turn in it loses the row that was read

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
    while let Some(row) = src.next_row().await {
        rows += 1;
        if rows.is_multiple_of(128) {
            yield_now().await;
            continue;
        }
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
