// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — a stream of ready items is a loop like any other

use futures::{StreamExt, stream};
use std::future::Ready;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(src: S) -> u64 {
    stream::unfold(
        src,
        |mut src| async move { Some((src.next_row().await?, src)) },
    )
    .fold(0, |sum, row| async move {
        sum + row.charged.abs_diff(row.settled)
    })
    .await
}
