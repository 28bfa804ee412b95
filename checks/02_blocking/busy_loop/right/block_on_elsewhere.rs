// right: off the thread, and the async loop as it was

use std::future::Ready;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let runtime = Handle::current();
    let job = spawn_blocking(move || {
        runtime.block_on(async move {
            let mut difference = 0;
            while let Some(row) = src.next_row().await {
                difference += row.charged.abs_diff(row.settled);
            }
            difference
        })
    });
    job.await.unwrap()
}
