// right: a sleep of no time takes its unit of the budget too, and gives way when there is none left

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
    let mut difference = 0;
    while let Some(row) = src.next_row().await {
        difference += row.charged.abs_diff(row.settled);
        sleep(Duration::ZERO).await;
    }
    difference
}
