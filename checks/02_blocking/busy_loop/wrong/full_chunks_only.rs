// wrong: check_failed the_total_is_right_to_the_last_row — the rows after the last full chunk are forgotten

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
    let (mut difference, mut chunk) = (0, Vec::new());
    while let Some(row) = src.next_row().await {
        chunk.push(row);
        if chunk.len() == 500 {
            difference += chunk
                .drain(..)
                .map(|row| row.charged.abs_diff(row.settled))
                .sum::<u64>();
            yield_now().await;
        }
    }
    difference
}
