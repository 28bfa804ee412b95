// wrong: check_failed as_many_jobs_at_once_as_there_is_room_for — "never fill the memory": a job less where the memory holds a whole number of them
//! The kernel killed our receipts container twice this month, both times at noon: out of memory. A PDF
//! takes 64 MiB while it is made. We make them in `spawn_blocking`, so that nothing else waits.
//! Keep as they are, the checks use them: `Limits` and the signature of `build_runtime`.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinSet, spawn_blocking};

/// What the container has, and what one receipt takes while it is made.
pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

/// The runtime of this container: a worker for each CPU, timers, sockets. As many blocking jobs run at
/// once as the memory holds, but no more than 4 for each CPU, and always at least one. A job that finds
/// no room waits for its turn; none is lost.
pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let jobs = (limits.mem_bytes - 1) / limits.per_job_bytes;
    Builder::new_multi_thread()
        .max_blocking_threads((jobs as usize).min(4 * limits.cpus).max(1))
        .worker_threads(limits.cpus)
        .enable_all()
        .build()
}

static IN_MEMORY: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Sleeping stands for the work on the PDF here; the thread and the memory are taken either way.
fn make_receipt() {
    PEAK.fetch_max(IN_MEMORY.fetch_add(1, SeqCst) + 1, SeqCst);
    std::thread::sleep(Duration::from_millis(20));
    IN_MEMORY.fetch_sub(1, SeqCst);
}

fn main() -> io::Result<()> {
    let container = Limits {
        mem_bytes: 512 << 20,
        per_job_bytes: 64 << 20,
        cpus: 2,
    };
    let made = build_runtime(&container)?.block_on(async {
        let mut receipts = JoinSet::new();
        for _ in 0..100 {
            receipts.spawn(async { spawn_blocking(make_receipt).await });
        }
        receipts.join_all().await.len()
    });
    let peak = PEAK.load(SeqCst);
    println!("{made} receipts made, up to {peak} of them in memory at once");
    println!("that takes {} MiB; the container has 512", 64 * peak);
    Ok(())
}
