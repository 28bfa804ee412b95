//! Runs the checks of a binary, each in a process group of its own, and says how they ended.
//! Judges nothing: see `core::verdict`.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures::StreamExt;
use tokio::process::Command;

use crate::confine::Sandbox;
use crate::core::manifest::Limits;
use crate::core::record::Record;
use crate::core::verdict::{CheckRun, Ending};

mod names;
mod output;
#[cfg_attr(unix, path = "execute/pipe_unix.rs")]
#[cfg_attr(not(unix), path = "execute/pipe_elsewhere.rs")]
mod pipe;
mod records;
mod supervise;
#[cfg_attr(target_os = "linux", path = "execute/usage_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "execute/usage_elsewhere.rs")]
mod usage;

pub use names::check_names;

/// The module of the checks in a check binary.
const MODULE: &str = "checks";

/// What a process of the subject is told.
#[derive(Debug, Clone, Copy)]
pub struct Env<'a> {
    /// The subject as it stands in debug information: `exercises/04_locks/self_deadlock.rs`.
    pub subject: &'a str,
    pub limits: Limits,
    pub seed: u64,
    /// The lab writes down each poll of an incident.
    pub observe: bool,
    /// Nobody trusts the subject.
    pub sandbox: Option<&'a Sandbox>,
}

/// What the scheduler gave a process.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    /// Of its living threads together.
    ran: Duration,
    /// Ready to run while others had the processors; of the thread that had to wait longest.
    starved: Duration,
}

/// How the subject's own `main` went.
#[derive(Debug, Clone)]
pub struct MainRun {
    pub ending: Ending,
    pub records: Vec<Record>,
    pub took: Duration,
}

/// Dropping the future ends the check's group. `Err` is our fault or the machine's, never the subject's.
pub async fn run_check(binary: &Path, name: &str, env: Env<'_>) -> Result<CheckRun> {
    let filter = format!("{MODULE}::{name}");
    let arguments = [
        filter.as_str(),
        "--exact",
        "--nocapture",
        "--test-threads=1",
        "--quiet",
    ];
    let mut output = output::Capped::default();
    let run = run(binary, &arguments, env, |bytes| output.push(bytes)).await?;
    Ok(CheckRun {
        name: name.to_string(),
        ending: run.ending,
        records: run.records,
        output: output::without_thread_numbers(&output::without_harness(
            &output.into_text(),
            &filter,
        )),
        took: run.took,
    })
}

/// All checks, at most `jobs` at a time, in the order of `names`.
pub async fn run_all(
    binary: &Path,
    names: &[String],
    env: Env<'_>,
    jobs: usize,
) -> Result<Vec<CheckRun>> {
    let checks = futures::stream::iter(names.iter().enumerate())
        .map(|(at, name)| async move { (at, run_check(binary, name, env).await) });
    // Not `buffered`: what is done would keep its place until all before it are, and one hang hold up the rest.
    let mut runs: Vec<(usize, Result<CheckRun>)> =
        checks.buffer_unordered(jobs.max(1)).collect().await;
    runs.sort_by_key(|(at, _)| *at);
    runs.into_iter().map(|(_, run)| run).collect()
}

/// The exercise's own `main`, under the same limits. `on_output` gets text as it comes, up to a cap.
pub async fn run_main(
    binary: &Path,
    env: Env<'_>,
    mut on_output: impl FnMut(&str),
) -> Result<MainRun> {
    let mut live = output::Live::default();
    let run = run(binary, &[], env, |bytes| live.push(bytes, &mut on_output)).await?;
    live.finish(&mut on_output);
    Ok(run)
}

#[expect(
    clippy::disallowed_methods,
    reason = "processes of the subject are started here, as groups"
)]
async fn run(
    binary: &Path,
    arguments: &[&str],
    env: Env<'_>,
    on_output: impl FnMut(&[u8]),
) -> Result<MainRun> {
    let folder = binary
        .parent()
        .context("a check binary stands in a folder")?;
    let scratch = tempfile::Builder::new()
        .prefix("run-")
        .tempdir_in(folder)
        .with_context(|| {
            format!(
                "cannot make a folder in {}; is the disk full?",
                folder.display()
            )
        })?;
    let record = scratch.path().join("record.jsonl");
    let key = records::Key::new();
    let mut command = Command::new(binary);
    if let Some(sandbox) = env.sandbox {
        sandbox.check(&mut command, binary, scratch.path(), env.limits.memory)?;
    }
    without_settings(&mut command);
    command
        .args(arguments)
        .stdin(key.stdin().context("cannot make a pipe")?)
        .current_dir(scratch.path())
        .env("ASYNCLINGS_RECORD", &record)
        .env("ASYNCLINGS_SEALED", "1")
        .env("ASYNCLINGS_SUBJECT", env.subject)
        .env("ASYNCLINGS_MEMORY", env.limits.memory.0.to_string())
        .env("ASYNCLINGS_SEED", env.seed.to_string())
        .env("ASYNCLINGS_PARENT", std::process::id().to_string())
        .env("GLIBC_TUNABLES", KEEP_STACKS);
    if env.observe {
        command.env("ASYNCLINGS_OBSERVE", "1");
    }
    let started = Instant::now();
    let confined_to = env.sandbox.map(|_| scratch.path());
    let ending = supervise::supervise(command, env.limits.wall, confined_to, on_output)
        .await
        .with_context(|| format!("cannot run {}", binary.display()))?;
    let took = started.elapsed();
    Ok(MainRun {
        ending,
        records: records::read(&record, &key)?,
        took,
    })
}

/// `pthread_detach` in glibc may still read the block of a thread that ends meanwhile, and this block goes
/// with the stack. Tokio detaches its blocking threads just as it tells them to end, hundreds at once; so
/// the stacks stay mapped for later threads. Beyond 40 MB of them, glibc would unmap the oldest:
/// <https://sourceware.org/glibc/manual/latest/html_node/POSIX-Thread-Tunables.html>.
const KEEP_STACKS: &str = "glibc.pthread.stack_cache_size=0xffffffffffffffff";

/// The caller's settings for tests and runtimes would change what a check does.
fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("RUST_")
            || text.starts_with("TOKIO_")
            || text.starts_with("ASYNCLINGS_")
        {
            command.env_remove(&name);
        }
    }
    command.stdin(Stdio::null());
}
