// wrong: panicked the_total_is_right_to_the_last_row — for the multi-thread runtime only

use std::future::Ready;
use tokio::task::block_in_place;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    block_in_place(|| {
        let mut difference = 0;
        while let Some(row) = src.next_row().into_inner() {
            difference += row.charged.abs_diff(row.settled);
        }
        difference
    })
}
