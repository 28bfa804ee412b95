// right: a task for each piece of 500 rows; awaiting it gives way

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
    loop {
        let piece = tokio::spawn(async move {
            let (mut difference, mut last) = (0, false);
            for _ in 0..500 {
                match src.next_row().await {
                    Some(row) => difference += row.charged.abs_diff(row.settled),
                    None => {
                        last = true;
                        break;
                    }
                }
            }
            (src, difference, last)
        });
        let (rest, sum, last) = piece.await.unwrap();
        src = rest;
        difference += sum;
        if last {
            return difference;
        }
    }
}
