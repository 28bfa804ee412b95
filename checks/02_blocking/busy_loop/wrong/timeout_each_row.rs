// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — `timeout` looks at its clock only when the row is not there

use std::future::Ready;
use std::time::Duration;
use tokio::time::timeout;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let mut difference = 0;
    while let Ok(Some(row)) = timeout(Duration::from_secs(1), src.next_row()).await {
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
