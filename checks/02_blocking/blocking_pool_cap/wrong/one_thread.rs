// wrong: check_failed requests_are_answered_while_every_job_is_busy — the pool is right, and all requests share one thread

use std::io;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let cap = (limits.mem_bytes / limits.per_job_bytes)
        .min(4 * limits.cpus as u64)
        .max(1) as usize;
    Builder::new_current_thread()
        .max_blocking_threads(cap)
        .enable_all()
        .build()
}
