// right: counted up, one job after the other

use std::io;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    let mut cap = 1;
    while cap < 4 * limits.cpus && (cap as u64 + 1) * limits.per_job_bytes <= limits.mem_bytes {
        cap += 1;
    }
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .max_blocking_threads(cap)
        .enable_all()
        .build()
}
