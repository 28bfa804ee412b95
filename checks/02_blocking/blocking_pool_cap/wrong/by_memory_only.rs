// wrong: check_failed no_more_jobs_at_once_than_4_for_each_cpu — fits the memory; the cores thrash

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
        .max_blocking_threads((limits.mem_bytes / limits.per_job_bytes).max(1) as usize)
        .enable_all()
        .build()
}
