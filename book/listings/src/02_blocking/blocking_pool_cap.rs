//! How many jobs run at once, and a bound for those that are allowed to wait.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

// ANCHOR: fault
/// Waits for nothing before it starts a job: five hundred calls are five hundred jobs, each with its memory.
pub async fn receipt(make: impl FnOnce() -> Vec<u8> + Send + 'static) -> Vec<u8> {
    spawn_blocking(make)
        .await
        .expect("making a receipt does not panic")
}
// ANCHOR_END: fault

// ANCHOR: permit
/// A bound for this kind of job alone, for a pool that other jobs share.
#[derive(Clone)]
pub struct Receipts {
    room: Arc<Semaphore>,
}

impl Receipts {
    pub fn new(at_once: usize) -> Receipts {
        let room = Arc::new(Semaphore::new(at_once));
        Receipts { room }
    }

    pub async fn make(&self, make: impl FnOnce() -> Vec<u8> + Send + 'static) -> Vec<u8> {
        // Who waits here holds a task and no thread.
        let permit = self.room.clone().acquire_owned().await;
        let permit = permit.expect("nobody closes it");
        let job = spawn_blocking(move || {
            // Given back when the job ends, also if its caller is gone by then.
            let _permit = permit;
            make()
        });
        job.await.expect("making a receipt does not panic")
    }
}
// ANCHOR_END: permit

#[cfg(test)]
mod tests {
    use super::{Receipts, receipt};

    #[tokio::test]
    async fn both_make_what_they_are_told() {
        assert_eq!(receipt(|| vec![7]).await, [7]);
        let receipts = Receipts::new(1);
        assert_eq!(receipts.make(|| vec![1]).await, [1]);
        assert_eq!(receipts.make(|| vec![2]).await, [2]);
    }
}
