// wrong: check_failed the_total_is_right_to_the_last_row — only what was settled too little

use std::future::Ready;
use tokio::task::coop::consume_budget;

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
        difference += row.charged.saturating_sub(row.settled);
        consume_budget().await;
    }
    difference
}
