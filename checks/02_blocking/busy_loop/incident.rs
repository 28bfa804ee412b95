//! A pod sends a heartbeat every 5 ms, two hundred times. Meanwhile the night's job goes through a hundred thousand rows
//! that are all in memory.

use std::future::{Ready, ready};
use std::hint::black_box;
use std::time::Duration;

use lab::incident::{Answer, Incident};

use crate::exercise::{Row, RowSource, reconcile};

struct Memory(std::ops::Range<u64>);

impl RowSource for Memory {
    fn next_row(&mut self) -> Ready<Option<Row>> {
        ready(self.0.next().map(|n| {
            // What a row costs: checksums.
            let digest = (0..150).fold(n, |digest, _| digest.rotate_left(5) ^ n);
            Row {
                charged: n,
                settled: n - (black_box(digest) & n & 1),
            }
        }))
    }
}

#[test]
fn heartbeats_while_the_job_runs() {
    Incident::one_thread("heartbeats").run(|measured| async move {
        let job = tokio::spawn(async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            reconcile(Memory(0..100_000)).await
        });
        let beat = |_| async { Answer::Done };
        let pace = Duration::from_millis(5);
        measured.at_pace(200, pace, beat).await;
        let _ = job.await;
    });
}
