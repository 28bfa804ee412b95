// wrong: check_failed no_more_jobs_at_once_than_the_memory_holds — idle threads end sooner; these are not idle

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

pub struct Limits {
    pub mem_bytes: u64,
    pub per_job_bytes: u64,
    pub cpus: usize,
}

pub fn build_runtime(limits: &Limits) -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(limits.cpus)
        .thread_keep_alive(Duration::from_millis(10))
        .enable_all()
        .build()
}
