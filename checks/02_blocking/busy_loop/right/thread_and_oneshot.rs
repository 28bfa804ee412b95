// right: a plain thread that tells its sum

use std::future::Ready;
use tokio::sync::oneshot;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (tell, sum) = oneshot::channel();
    std::thread::spawn(move || {
        let mut difference = 0;
        while let Some(row) = src.next_row().into_inner() {
            difference += row.charged.abs_diff(row.settled);
        }
        let _ = tell.send(difference);
    });
    sum.await.unwrap()
}
