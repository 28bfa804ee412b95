// wrong: check_failed as_many_jobs_at_once_as_there_is_room_for — never out of memory again, and never done

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
        .max_blocking_threads(1)
        .enable_all()
        .build()
}
