// wrong: check_failed a_container_smaller_than_one_job_makes_them_one_by_one — an error instead of slow receipts

use std::io;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let cap = (limits.mem_bytes / limits.per_job_bytes).min(4 * limits.cpus as u64) as usize;
    if cap == 0 {
        return Err(io::Error::other("no room for a single job"));
    }
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .max_blocking_threads(cap)
        .enable_all()
        .build()
}
