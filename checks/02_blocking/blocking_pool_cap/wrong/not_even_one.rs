// wrong: panicked a_container_smaller_than_one_job_makes_them_one_by_one — zero jobs at once is no limit but a panic

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
            (limits.mem_bytes / limits.per_job_bytes).min(4 * limits.cpus as u64) as usize,
        )
        .enable_all()
        .build()
}
