// wrong: check_failed it_gives_way_once_in_8_rows_at_most — a sleep of no time still waits for the next tick of the timer, a millisecond a row

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
