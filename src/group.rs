//! A child process with all that it starts: a process group on Unix, a job object on Windows, ended with its owner.
//! Knows nothing of rustc, cargo or checks.

use std::collections::BTreeSet;
use std::io;
use std::process::{ExitStatus, Output};
use std::sync::Mutex;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

#[cfg_attr(target_os = "linux", path = "group/strays_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "group/strays_elsewhere.rs")]
mod strays;

/// Leaders that have not been waited for. Any other child of this process came to it by adoption.
static LEADERS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

#[derive(Debug)]
pub struct Group {
    child: Box<dyn ChildWrapper>,
    leader: u32,
    status: Option<ExitStatus>,
}

impl Group {
    /// Call it on the main thread: a parent-death signal follows the thread that spawned, not the process.
    pub fn spawn(command: Command) -> io::Result<Self> {
        strays::adopt();
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        command.wrap(KillOnDrop);
        let child = command.spawn()?;
        let leader = child
            .id()
            .expect("a child that nobody waited for has an id");
        leaders().insert(leader);
        Ok(Self {
            child,
            leader,
            status: None,
        })
    }

    pub fn leader(&self) -> u32 {
        self.leader
    }

    pub fn stdout(&mut self) -> Option<tokio::process::ChildStdout> {
        self.child.stdout().take()
    }

    pub fn stderr(&mut self) -> Option<tokio::process::ChildStderr> {
        self.child.stderr().take()
    }

    /// Cancel safe. The rest of the group may live on: see `end`.
    pub async fn leader_exit(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        // The inner child: the wrapper's own `wait` is for the whole group, and a child that ignores SIGTERM would
        // hold it for good.
        let status = self.child.inner_mut().wait().await?;
        self.status = Some(status);
        Ok(status)
    }

    /// For a process that says little and ends by itself.
    pub async fn output(mut self) -> io::Result<Output> {
        let (mut out, mut err) = (self.stdout(), self.stderr());
        let (status, stdout, stderr) =
            tokio::try_join!(self.leader_exit(), to_end(&mut out), to_end(&mut err))?;
        Ok(Output {
            status,
            stdout,
            stderr,
        })
    }

    /// Asks the group to end. Where there is nothing to ask with, this does nothing.
    pub fn terminate(&self) {
        #[cfg(unix)]
        if let Some(leader) = rustix::process::Pid::from_raw(self.leader as i32) {
            use rustix::process::{Signal, kill_process_group};
            let _ = kill_process_group(leader, Signal::TERM);
            // A stopped process would not hear it.
            let _ = kill_process_group(leader, Signal::CONT);
        }
    }

    /// Ends every process of the group, and those that left it by `setsid` (Linux).
    pub fn end(&mut self) {
        let _ = self.child.start_kill();
        if self.status.is_none() {
            strays::await_death(self.leader);
            self.status = self.child.inner_mut().try_wait().ok().flatten();
        }
        strays::end(&leaders());
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
        leaders().remove(&self.leader);
    }
}

async fn to_end(from: &mut Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn leaders() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    LEADERS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
