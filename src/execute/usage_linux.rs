//! CPU time of a running process, from `/proc`.

use std::fs;
use std::time::Duration;

/// Of all its living threads together. `None`: gone, or a kernel without scheduler statistics.
pub(super) fn cpu_time(process: u32) -> Option<Duration> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok())
        .map(|text| on_cpu(&text))
        .sum()
}

/// The first of three numbers: nanoseconds on a processor.
fn on_cpu(schedstat: &str) -> Option<Duration> {
    Some(Duration::from_nanos(
        schedstat.split_whitespace().next()?.parse().ok()?,
    ))
}
