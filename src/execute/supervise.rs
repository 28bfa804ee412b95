//! One process group from start to end: its output, its outer deadline, and nothing left of it afterwards.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::pipe::Pipe;
use super::usage::usage;
use crate::confine::is_full;
use crate::core::verdict::Ending;
use crate::group::Group;

/// From SIGTERM to SIGKILL, for a lab that is just writing its record.
const GRACE: Duration = Duration::from_millis(300);
/// For output that is in the pipe when the group has ended. Only a process out of our reach keeps it open longer.
const REST: Duration = Duration::from_millis(200);
/// After SIGKILL; what lives on sits in the kernel, and a verdict does not wait for it.
const DEATH: Duration = Duration::from_secs(2);
/// Whoever used a tenth of the last stretch was not waiting. Low, as other work may take the processors.
const BUSY_SHARE: u32 = 10;

/// How often the deadline moves for a process that had to wait for a processor: it is late, but does not hang.
const EXTENSIONS: u32 = 4;

/// Between two looks at what a confined process has written: a disk takes some ten megabytes meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// What comes next, and when.
enum Stage {
    /// `granted`: time given back so far.
    Sample {
        granted: Duration,
        extensions: u32,
    },
    Terminate {
        ran: Option<Duration>,
    },
    Kill {
        busy: bool,
    },
    GiveUp {
        busy: bool,
    },
}

/// `confined_to`: the only folder that it can write to; one that fills it is ended.
pub(super) async fn supervise(
    command: Command,
    wall: Duration,
    confined_to: Option<&Path>,
    mut on_output: impl FnMut(&[u8]),
) -> io::Result<Ending> {
    let (mut group, mut pipe) = Pipe::spawn(command)?;
    let started = Instant::now();
    let stretch = (wall / 4).min(Duration::from_secs(1));
    let mut stage = Stage::Sample {
        granted: Duration::ZERO,
        extensions: 0,
    };
    let mut next = started + wall - stretch;
    let mut buffer = vec![0; 256 << 10];
    let mut open = true;
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let ending = loop {
        tokio::select! {
            // The clock before the pipe: a flood of output must not hide the deadline.
            biased;
            status = group.leader_exit() => break ended(&stage, status?),
            () = sleep_until(next) => {
                match step(&mut group, stage, stretch) {
                    Ok((following, wait)) => (stage, next) = (following, Instant::now() + wait),
                    Err(ending) => break ending,
                }
            }
            _ = looks.tick(), if confined_to.is_some() => {
                if confined_to.is_some_and(is_full) {
                    break Ending::FilledFolder;
                }
            }
            read = pipe.read(&mut buffer), if open => match read {
                Ok(count) if count > 0 => on_output(&buffer[..count]),
                _ => open = false,
            },
        }
    };
    // The group, not the leader: a grandchild would keep the pipe open, and the processor busy.
    group.end();
    let drain = async {
        while let Ok(count) = pipe.read(&mut buffer).await
            && count > 0
        {
            on_output(&buffer[..count]);
        }
    };
    let _ = timeout(REST, drain).await;
    Ok(ending)
}

/// `Err`: nothing more to wait for, as it outlived SIGKILL.
fn step(group: &mut Group, stage: Stage, stretch: Duration) -> Result<(Stage, Duration), Ending> {
    match stage {
        Stage::Sample {
            granted,
            extensions,
        } => {
            let usage = usage(group.leader());
            let starved = usage.map_or(Duration::ZERO, |usage| usage.starved);
            let owed = starved.saturating_sub(granted);
            if extensions < EXTENSIONS && owed > stretch {
                return Ok((
                    Stage::Sample {
                        granted: starved,
                        extensions: extensions + 1,
                    },
                    owed,
                ));
            }
            Ok((
                Stage::Terminate {
                    ran: usage.map(|usage| usage.ran),
                },
                stretch,
            ))
        }
        Stage::Terminate { ran } => {
            let now = usage(group.leader()).map(|usage| usage.ran);
            let spent = now
                .zip(ran)
                .map_or(Duration::ZERO, |(now, ran)| now.saturating_sub(ran));
            group.terminate();
            Ok((
                Stage::Kill {
                    busy: spent >= stretch / BUSY_SHARE,
                },
                GRACE,
            ))
        }
        Stage::Kill { busy } => {
            group.end();
            Ok((Stage::GiveUp { busy }, DEATH))
        }
        Stage::GiveUp { busy } => Err(Ending::Deadline { busy }),
    }
}

fn ended(stage: &Stage, status: ExitStatus) -> Ending {
    match stage {
        Stage::Kill { busy } | Stage::GiveUp { busy } => Ending::Deadline { busy: *busy },
        Stage::Sample { .. } | Stage::Terminate { .. } => match status.code() {
            Some(code) => Ending::Exited(code),
            None => Ending::Signalled(signal(status)),
        },
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> i32 {
    0
}
