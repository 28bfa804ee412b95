// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — the same loop in a task of the same thread

use std::future::Ready;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let job = tokio::spawn(async move {
        let mut difference = 0;
        while let Some(row) = src.next_row().await {
            difference += row.charged.abs_diff(row.settled);
        }
        difference
    });
    job.await.unwrap()
}
