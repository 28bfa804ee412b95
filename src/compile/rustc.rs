//! Runs rustc once, within a time limit.

use std::fs;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::timeout;

use super::outcome::{Ended, outcome};
use super::slot::Slot;
use super::{Job, Part, command, diagnostics};
use crate::core::verdict::BuildOutcome;
use crate::group::Group;
use crate::prepare::Lab;

/// Of processor time, where the system counts it: a machine that is busy with other work is slow, and no exercise is
/// endless for that. An exercise takes half a second; only a macro without end takes this. It also ends a rustc whose
/// runner was killed.
const LIMIT: Duration = Duration::from_secs(60);
/// Of time on the clock, which is the only limit elsewhere.
const WALL: Duration = if cfg!(target_os = "linux") {
    Duration::from_secs(900)
} else {
    LIMIT
};
/// Who uses no processor for so long, however busy the machine, waits for something that never comes: it includes a pipe.
const STILL: Duration = Duration::from_secs(20);
/// Kept of what rustc says; an error of 100 lines is 20 KiB.
const CAP: usize = 16 << 20;

pub(super) async fn compile(
    lab: &Lab,
    job: &Job<'_>,
    slot: &Slot,
    part: Part,
) -> Result<BuildOutcome> {
    let ended = match once(lab, job, slot, part).await? {
        Ended::Crashed(_) if slot.incremental().exists() => {
            let _ = fs::remove_dir_all(slot.incremental());
            once(lab, job, slot, part).await?
        }
        ended => ended,
    };
    match ended {
        Ended::Outcome(outcome) => Ok(outcome),
        Ended::Crashed(diagnostic) => Ok(BuildOutcome::Refused {
            diagnostics: vec![diagnostic],
        }),
        Ended::Machine(fault) => bail!(fault),
    }
}

async fn once(lab: &Lab, job: &Job<'_>, slot: &Slot, part: Part) -> Result<Ended> {
    let ended = match run(command::command(lab, job, slot, part)?, &lab.rustc).await? {
        Some(ended) => ended,
        None => {
            let message = format!(
                "{} did not compile within {} seconds of processor time: is there a macro or a constant without end?",
                job.subject_display,
                LIMIT.as_secs()
            );
            let diagnostics = vec![diagnostics::ours(message, job.subject_display, 1)];
            return Ok(Ended::Outcome(BuildOutcome::Refused { diagnostics }));
        }
    };
    let (status, stderr) = ended;
    let said = diagnostics::parse(&stderr, job.subject_display);
    Ok(outcome(status, said, job.subject_display))
}

/// What a compiler says on standard error, whether it is content or not.
pub(super) async fn errors_of(command: Command, program: &Path) -> Result<String> {
    let limit = LIMIT.as_secs();
    let ended = run(command, program).await?;
    let (_, stderr) = ended
        .with_context(|| format!("{} was still at work after {limit} s", program.display()))?;
    Ok(stderr)
}

/// `None`: it was still compiling when its time was over.
async fn run(command: Command, program: &Path) -> Result<Option<(ExitStatus, String)>> {
    let mut group = Group::spawn(command).with_context(|| {
        format!(
            "cannot start {}; was the toolchain updated or removed? start asynclings again",
            program.display()
        )
    })?;
    limit(&group);
    let stderr = group.stderr().context("rustc's errors are piped")?;
    let leader = group.leader();
    let run = async { tokio::try_join!(group.leader_exit(), read_capped(stderr)) };
    let mut run = std::pin::pin!(run);
    let started = Instant::now();
    let mut used = ticks(leader);
    let ended = loop {
        match timeout(STILL, &mut run).await {
            Ok(ended) => break ended,
            Err(_) => {
                let now = ticks(leader);
                let stands_still = now.is_some() && now == used;
                if stands_still || started.elapsed() >= WALL {
                    return Ok(None);
                }
                used = now;
            }
        }
    };
    let (status, stderr) = ended.context("cannot read what rustc says")?;
    if was_out_of_time(status) {
        return Ok(None);
    }
    Ok(Some((
        status,
        String::from_utf8_lossy(&stderr).into_owned(),
    )))
}

/// To the end, or rustc would wait for a reader.
async fn read_capped(mut from: impl AsyncRead + Unpin) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    (&mut from).take(CAP as u64).read_to_end(&mut kept).await?;
    tokio::io::copy(&mut from, &mut tokio::io::sink()).await?;
    Ok(kept)
}

/// Of processor time, as the kernel counts them; `None` where nothing counts.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it is in brackets, and may have any letters. Then the state, ten numbers, and the two.
    let (_, after) = stat.rsplit_once(')')?;
    let mut numbers = after.split_whitespace().skip(11);
    let mut next = || numbers.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(not(target_os = "linux"))]
fn ticks(_: u32) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn limit(group: &Group) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    // First a signal that says why, then one that cannot be ignored.
    let limit = Rlimit {
        current: Some(LIMIT.as_secs()),
        maximum: Some(LIMIT.as_secs() + 5),
    };
    let _ = Pid::from_raw(group.leader() as i32)
        .map(|rustc| prlimit(Some(rustc), Resource::Cpu, limit));
}

#[cfg(not(target_os = "linux"))]
fn limit(_: &Group) {}

#[cfg(target_os = "linux")]
fn was_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(target_os = "linux"))]
fn was_out_of_time(_: ExitStatus) -> bool {
    false
}
