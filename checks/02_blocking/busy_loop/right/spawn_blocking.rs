// right: off the thread altogether: the rows need no runtime

use std::future::Ready;
use tokio::task::spawn_blocking;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let job = spawn_blocking(move || {
        let mut difference = 0;
        while let Some(row) = src.next_row().into_inner() {
            difference += row.charged.abs_diff(row.settled);
        }
        difference
    });
    job.await.unwrap()
}
