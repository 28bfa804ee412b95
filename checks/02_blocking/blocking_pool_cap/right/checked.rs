// right: checked at every step, for containers with odd numbers

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let memory = limits
        .mem_bytes
        .checked_div(limits.per_job_bytes)
        .unwrap_or(u64::MAX);
    let memory = usize::try_from(memory).unwrap_or(usize::MAX);
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(limits.cpus.max(1));
    builder.max_blocking_threads(memory.min(limits.cpus.saturating_mul(4)).max(1));
    builder
        .thread_name("receipts")
        .thread_keep_alive(Duration::from_secs(1));
    builder.enable_io().enable_time();
    builder.build()
}
