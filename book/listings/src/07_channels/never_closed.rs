//! A receiver that waits for a channel to close, and who keeps it open.

#![allow(
    clippy::disallowed_methods,
    reason = "tasks whose handle nobody keeps are what is shown"
)]

use tokio::sync::mpsc;
use tokio::task::JoinSet;

// ANCHOR: fault
pub async fn sum_of(files: Vec<Vec<u64>>) -> u64 {
    let (queue, mut rows) = mpsc::channel(64);
    for file in files {
        let queue = queue.clone();
        tokio::spawn(async move {
            for row in file {
                let _ = queue.send(row).await;
            }
        });
    }
    let mut sum = 0;
    while let Some(row) = rows.recv().await {
        sum += row;
    }
    // `queue` is dropped here, and this line is never reached.
    sum
}
// ANCHOR_END: fault

// ANCHOR: weak_sender
pub struct Progress {
    backlog: mpsc::WeakSender<u64>,
}

impl Progress {
    pub fn of(queue: &mpsc::Sender<u64>) -> Progress {
        let backlog = queue.downgrade();
        Progress { backlog }
    }

    /// `None` when the channel is closed.
    pub fn waiting(&self) -> Option<usize> {
        let queue = self.backlog.upgrade()?;
        Some(queue.max_capacity() - queue.capacity())
    }
}
// ANCHOR_END: weak_sender

// ANCHOR: no_channel
pub async fn sum_of_tasks(files: Vec<Vec<u64>>) -> (u64, usize) {
    let mut tasks = JoinSet::new();
    for file in files {
        tasks.spawn(async move { file.into_iter().sum::<u64>() });
    }
    let (mut sum, mut crashed) = (0, 0);
    while let Some(ended) = tasks.join_next().await {
        match ended {
            Ok(rows) => sum += rows,
            Err(_) => crashed += 1,
        }
    }
    (sum, crashed)
}
// ANCHOR_END: no_channel

// ANCHOR: drops_a_clone
/// Wrong: what is dropped is a clone made for the purpose.
pub fn let_go(queue: &mpsc::Sender<u64>) {
    drop(queue.clone());
}
// ANCHOR_END: drops_a_clone
