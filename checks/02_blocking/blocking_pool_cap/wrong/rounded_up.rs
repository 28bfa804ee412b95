// wrong: check_failed no_more_jobs_at_once_than_the_memory_holds — the last job does not fit any more

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
            limits
                .mem_bytes
                .div_ceil(limits.per_job_bytes)
                .min(4 * limits.cpus as u64)
                .max(1) as usize,
        )
        .enable_all()
        .build()
}
