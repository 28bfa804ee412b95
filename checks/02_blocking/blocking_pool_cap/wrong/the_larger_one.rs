// wrong: check_failed no_more_jobs_at_once_than_the_memory_holds — `max` where `min` was meant

use std::io;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .max_blocking_threads(
            (limits.mem_bytes / limits.per_job_bytes).max(4 * limits.cpus as u64) as usize,
        )
        .enable_all()
        .build()
}
