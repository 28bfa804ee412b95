//! Every night at two our pod is taken for dead: its heartbeat stops, another pod takes over and does
//! the same reconciliation again. The job awaits every row, so the others do get their turn.
//! Keep as they are, the checks use them: `Row`, the trait `RowSource` and the signature of `reconcile`.

use std::future::{Ready, ready};
use std::time::{Duration, Instant};

use tokio::task::coop::consume_budget;

/// One payment of the day, in won.
pub struct Row {
    pub charged: u64,
    pub settled: u64,
}

/// The day's payments, read into memory at midnight. `None` after the last one.
pub trait RowSource: Send + 'static {
    fn next_row(&mut self) -> Ready<Option<Row>>;
}

// ANCHOR: fix
/// By how many won the two sides differ, over all rows. Whatever else runs on this thread gets a turn
/// at least once in 1,024 rows, but at most once in 8: giving way costs more than a row does, and the
/// job has to be done before the shops open.
pub async fn reconcile<S: RowSource>(mut src: S) -> u64 {
    let mut difference = 0;
    // A future that is always ready never gives the thread back: `.await` goes straight on.
    while let Some(row) = src.next_row().await {
        difference += row.charged.abs_diff(row.settled);
        // Takes one unit of the task's budget, as Tokio's own channels and sockets do. With the budget
        // used up, after 128 rows, it gives way once; all other times it costs next to nothing.
        consume_budget().await;
    }
    difference
}
// ANCHOR_END: fix

struct Memory(std::ops::Range<u64>);

impl RowSource for Memory {
    fn next_row(&mut self) -> Ready<Option<Row>> {
        ready(self.0.next().map(|n| {
            // What a row costs: checksums.
            let digest = (0..1_500).fold(n, |digest, _| digest.rotate_left(5) ^ n);
            Row {
                charged: n,
                settled: n - (std::hint::black_box(digest) & n & 1),
            }
        }))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let heartbeat = tokio::spawn(async {
        loop {
            let last = Instant::now();
            tokio::time::sleep(Duration::from_millis(100)).await;
            let gap = last.elapsed().as_millis();
            println!("heartbeat: {gap} ms since the last one");
        }
    });
    tokio::time::sleep(Duration::from_millis(250)).await;
    let difference = reconcile(Memory(0..30_000)).await;
    println!("reconciled: {difference} won differ");
    tokio::time::sleep(Duration::from_millis(150)).await;
    heartbeat.abort();
}
