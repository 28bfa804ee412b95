//! A child process with all that it starts: a process group on Unix, a job object on Windows, ended with its owner.
//! Knows nothing of rustc, cargo or checks.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::process::{ExitStatus, Output};
use std::sync::{Mutex, OnceLock};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;

#[cfg_attr(target_os = "linux", path = "group/strays_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "group/strays_elsewhere.rs")]
mod strays;

/// See `spared`.
const SPARED: &str = "ASYNCLINGS_SPARED";
/// Not to be guessed by a program that would like to outlive its check.
static TOKEN: OnceLock<String> = OnceLock::new();

/// For the environment of a program of the learner's own: what it leaves running is no orphan of ours, and is not ended
/// with a group. An editor may bring up a server, or a window that stays.
pub fn spared() -> (&'static str, &'static str) {
    let token = TOKEN.get_or_init(|| format!("{:x}", RandomState::new().hash_one(0)));
    (SPARED, token)
}

/// Leaders of groups that are still owned.
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
        // Before it exists: another thread must not take it for an orphan.
        let mut leaders = leaders();
        let child = command.spawn()?;
        let leader = child
            .id()
            .expect("a child that nobody waited for has an id");
        leaders.insert(leader);
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a process to end")]
    fn shell(script: &str) -> Group {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .stdout(std::process::Stdio::piped());
        Group::spawn(command).unwrap()
    }

    /// The ids that a script prints, one a line, and then goes on.
    async fn printed(group: &mut Group, count: usize) -> Vec<u32> {
        let mut text = String::new();
        let mut out = group.stdout().unwrap();
        while text.lines().count() < count || !text.ends_with('\n') {
            let mut buffer = [0; 256];
            let read = out.read(&mut buffer).await.unwrap();
            assert_ne!(read, 0, "{text}");
            text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        }
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    fn alive(process: &u32) -> bool {
        std::path::Path::new(&format!("/proc/{process}")).exists()
    }

    #[tokio::test]
    async fn dropping_a_group_ends_children_that_ignore_sigterm_and_those_that_left() {
        let mut group = shell(
            "trap '' TERM; sleep 1000 & echo $!
             setsid sh -c 'sleep 1000 & echo $!; echo $$; wait' & wait; wait",
        );
        let processes = printed(&mut group, 3).await;
        assert!(processes.iter().all(alive));
        drop(group);
        assert!(!processes.iter().any(alive), "{processes:?}");
    }

    #[tokio::test]
    async fn children_of_a_leader_that_has_ended_are_ended() {
        let mut group = shell("sleep 1000 & echo $!; kill -STOP $! && exit 3");
        let processes = printed(&mut group, 1).await;
        assert_eq!(group.leader_exit().await.unwrap().code(), Some(3));
        group.end();
        assert!(!processes.iter().any(alive), "{processes:?}");
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "a process to leave alone")]
    async fn what_a_spared_program_leaves_running_is_left_alone() {
        strays::adopt();
        let (name, value) = spared();
        let mut left = Vec::new();
        for value in [value, "guessed"] {
            // A child of a child: another test's `drop` would take our own for an orphan as soon as it has left our group.
            let script = "setsid sh -c 'sleep 1000 >/dev/null 2>&1 & echo $!'; true";
            let output = Command::new("sh")
                .args(["-c", script])
                .env(name, value)
                .output();
            let printed = String::from_utf8(output.await.unwrap().stdout).unwrap();
            left.push(printed.trim().parse::<u32>().unwrap());
        }
        drop(shell("sleep 1000"));
        assert!(alive(&left[0]) && !alive(&left[1]));
        let pid = rustix::process::Pid::from_raw(left[0] as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "a process to leave alone")]
    async fn other_groups_and_programs_started_in_the_plain_way_are_left_alone() {
        let mut other = shell("echo $$; exec sleep 1000");
        let processes = printed(&mut other, 1).await;
        let mut plain = Command::new("sleep")
            .arg("1000")
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        drop(shell("sleep 1000"));
        assert!(processes.iter().all(alive));
        assert!(plain.try_wait().unwrap().is_none());
    }
}
