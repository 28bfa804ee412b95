// wrong: check_failed it_gives_way_once_in_8_rows_at_most — a task for each row, and a turn for each task

use std::future::Ready;

pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let mut difference = 0;
    while let Some(row) = src.next_row().await {
        difference += tokio::spawn(async move { row.charged.abs_diff(row.settled) })
            .await
            .unwrap();
    }
    difference
}
