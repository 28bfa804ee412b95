// right: a lock of Tokio counts against the budget like every resource of Tokio, by luck

use std::future::Ready;
use tokio::sync::Mutex;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(src: S) -> u64 {
    let src = Mutex::new(src);
    let mut difference = 0;
    while let Some(row) = src.lock().await.next_row().await {
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
