// wrong: check_failed it_gives_way_once_in_8_rows_at_most — a channel with room for one row changes hands at every row

use std::future::Ready;
use tokio::sync::mpsc::channel;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let (send, mut rows) = channel(1);
    tokio::spawn(async move {
        while let Some(row) = src.next_row().await {
            if send.send(row).await.is_err() {
                return;
            }
        }
    });
    let mut difference = 0;
    while let Some(row) = rows.recv().await {
        difference += row.charged.abs_diff(row.settled);
    }
    difference
}
