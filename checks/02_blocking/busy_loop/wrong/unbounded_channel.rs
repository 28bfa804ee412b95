// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — sending without a bound never waits, so it never gives way

use std::future::Ready;
use tokio::sync::mpsc::unbounded_channel;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (send, mut rows) = unbounded_channel();
    tokio::spawn(async move {
        while let Some(row) = src.next_row().await {
            let _ = send.send(row);
        }
    });
    let mut difference = 0;
    while let Some(row) = rows.recv().await {
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
