// wrong: check_failed the_heartbeat_gets_a_turn_within_1024_rows — a timer arm that is never ready does not give way

use std::future::Ready;
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::interval;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (mut difference, mut tick) = (0, interval(Duration::from_millis(100)));
    loop {
        tokio::select! {
            biased;
            _ = tick.tick() => yield_now().await,
            row = src.next_row() => match row {
                Some(row) => difference += row.charged.abs_diff(row.settled),
                None => return difference,
            },
        }
    }
}
