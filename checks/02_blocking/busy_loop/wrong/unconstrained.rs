// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — counts the budget, and has none

use std::future::Ready;
use tokio::task::{coop::consume_budget, unconstrained};

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    unconstrained(async move {
        let mut difference = 0;
        while let Some(row) = src.next_row().await {
            difference += row.charged.abs_diff(row.settled);
            consume_budget().await;
        }
        difference
    })
    .await
}
