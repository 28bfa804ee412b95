// right: by way of `f64`, rounded down

use std::io;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let cap = (limits.mem_bytes as f64 / limits.per_job_bytes as f64).floor();
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .max_blocking_threads(cap.min(4.0 * limits.cpus as f64).max(1.0) as usize)
        .enable_all()
        .build()
}
