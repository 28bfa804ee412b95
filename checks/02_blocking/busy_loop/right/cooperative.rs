// right: `cooperative` counts a budget around each row

use std::future::Ready;
use tokio::task::coop::cooperative;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let mut difference = 0;
    while let Some(row) = cooperative(src.next_row()).await {
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
