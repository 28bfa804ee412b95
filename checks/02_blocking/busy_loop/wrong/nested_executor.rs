// wrong: hung:blocked the_total_is_right_to_the_last_row — another executor, on the same thread

use futures::executor::block_on;
use std::future::Ready;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    block_on(async move {
        let (mut difference, mut rows) = (0, 0u64);
        while let Some(row) = src.next_row().await {
            difference += row.charged.abs_diff(row.settled);
            rows += 1;
            if rows.is_multiple_of(128) {
                tokio::task::yield_now().await;
            }
        }
        difference
    })
}
