//! What the scheduler gave a running process, from `/proc`.

use std::fs;

use super::Usage;

/// `None`: gone, or a kernel without scheduler statistics.
pub(super) fn usage(process: u32) -> Option<Usage> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let statistics = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
    let mut all = Usage::default();
    for text in statistics {
        let one = parse(&text)?;
        all.ran += one.ran;
        all.starved = all.starved.max(one.starved);
    }
    Some(all)
}

/// Of three numbers the first two: nanoseconds on a processor, and ready to run without one.
fn parse(schedstat: &str) -> Option<Usage> {
    let mut numbers = schedstat
        .split_whitespace()
        .map(|number| number.parse().ok());
    let mut next = || numbers.next()?.map(std::time::Duration::from_nanos);
    Some(Usage {
        ran: next()?,
        starved: next()?,
    })
}
