// wrong: check_failed no_more_jobs_at_once_than_the_memory_holds — the usual formula for a pool, and memory is not in it

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
        .max_blocking_threads((4 * limits.cpus).max(1))
        .enable_all()
        .build()
}
