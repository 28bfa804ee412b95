// wrong: check_failed it_gives_way_once_in_8_rows_at_most — everybody gets a turn, and the job is not done when the shops open

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
    let mut difference = 0;
    while let Some(row) = src.next_row().await {
        difference += row.charged.abs_diff(row.settled);
        yield_now().await;
    }
    difference
}
