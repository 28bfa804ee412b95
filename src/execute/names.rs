//! Which checks are in a binary.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use tokio::process::Command;

use super::{MODULE, supervise, without_settings};
use crate::confine::Sandbox;
use crate::core::manifest::Limits;
use crate::core::verdict::Ending;

/// Listing runs none of the subject's code.
const WALL: Duration = Duration::from_secs(10);
/// Far more names than an exercise has checks.
const CAP: usize = 1 << 20;
/// Without it the file is torn, and would hide checks.
const END: &str = "end\n";

/// In the harness's order. Asked of the binary once for each `key` (of the checks' source) and kept beside it: asking
/// costs as much as running a check.
pub async fn check_names(
    binary: &Path,
    key: &str,
    sandbox: Option<&Sandbox>,
) -> Result<Vec<String>> {
    // What a binary says that nobody trusts is not kept for the next one.
    if sandbox.is_some() {
        return ask(binary, sandbox).await;
    }
    let memo = binary.with_extension("names");
    if let Some(names) = fs::read_to_string(&memo)
        .ok()
        .and_then(|text| remembered(&text, key))
    {
        return Ok(names);
    }
    let names = ask(binary, None).await?;
    remember(&memo, key, &names);
    Ok(names)
}

fn remembered(text: &str, key: &str) -> Option<Vec<String>> {
    let mut lines = text.strip_suffix(END)?.lines();
    (lines.next()? == key).then(|| lines.map(str::to_string).collect())
}

/// A memo that cannot be written only costs time.
#[expect(
    clippy::disallowed_methods,
    reason = "a memo beside the binary, in scratch; a torn one is not believed"
)]
fn remember(memo: &Path, key: &str, names: &[String]) {
    let lines = [key].into_iter().chain(names.iter().map(String::as_str));
    let _ = fs::write(
        memo,
        lines
            .map(|line| format!("{line}\n"))
            .chain([END.to_string()])
            .collect::<String>(),
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a process of the subject, as a group"
)]
async fn ask(binary: &Path, sandbox: Option<&Sandbox>) -> Result<Vec<String>> {
    let mut command = Command::new(binary);
    let nowhere = sandbox.map(|_| tempfile::tempdir()).transpose();
    let nowhere = nowhere.context("cannot make a temporary folder")?;
    let confined_to = nowhere.as_ref().map(TempDir::path);
    if let (Some(sandbox), Some(folder)) = (sandbox, confined_to) {
        let memory = Limits::default().memory;
        sandbox.check(&mut command, binary, folder, memory)?;
    }
    without_settings(&mut command);
    command.args(["--list", "--format", "terse"]);
    let mut bytes = Vec::new();
    let ending = supervise::supervise(command, WALL, confined_to, |more| {
        bytes.extend_from_slice(&more[..more.len().min(CAP - bytes.len())]);
    });
    let ending = ending
        .await
        .with_context(|| format!("cannot run {}", binary.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    if ending != Ending::Exited(0) {
        bail!(
            "cannot list the checks in {} ({ending:?}): {}",
            binary.display(),
            text.trim()
        );
    }
    Ok(parse(&text))
}

/// A learner's own tests are no checks.
fn parse(listing: &str) -> Vec<String> {
    let tests = listing
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    tests
        .filter_map(|test| test.strip_prefix(MODULE)?.strip_prefix("::"))
        .map(str::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_checks_count() {
        let listing = "checks::a_job_ends: test\nexercise::tests::mine: test\nchecks::deep::b: test\nchecks::c: benchmark\n";
        assert_eq!(parse(listing), ["a_job_ends", "deep::b"]);
    }

    #[test]
    fn a_memo_is_for_its_checks_and_whole() {
        assert_eq!(
            remembered("k1\na\nb\nend\n", "k1"),
            Some(vec!["a".to_string(), "b".to_string()])
        );
        assert_eq!(remembered("k1\na\nb\nend\n", "k2"), None);
        assert_eq!(remembered("k1\na\n", "k1"), None);
        assert_eq!(remembered("", "k1"), None);
    }
}
