// wrong: check_failed as_many_jobs_at_once_as_there_is_room_for — "the workers take memory too": the promise counts jobs

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
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .max_blocking_threads(cap.saturating_sub(limits.cpus).max(1))
        .enable_all()
        .build()
}
