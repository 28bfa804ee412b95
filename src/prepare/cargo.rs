//! Runs cargo on the lab's sources.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Stdio;

use cargo_metadata::{Message, Metadata};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;

use super::advice::{Cause, Fault};
use super::artifacts::{Built, Plan, Tracker};
use super::place::{Place, link};
use super::{LabSources, Linkage, Options, Progress, Toolchain, environment};
use crate::group::Group;

/// Given here and not in the manifest: only this way they come before a user's own `[profile.dev]`.
/// Measured with tokio, futures and tracing: 67 s of CPU time, where line tables take 78 s, and with `opt-level=1` 120 s.
/// Nobody steps into these crates, and a symbol table is enough to name their functions.
pub(super) const PROFILE: &[&str] = &[
    "profile.dev.opt-level=0",
    "profile.dev.debug=0",
    "profile.dev.debug-assertions=true",
    "profile.dev.overflow-checks=true",
    "profile.dev.lto=\"off\"",
    "profile.dev.panic=\"unwind\"",
    "profile.dev.incremental=false",
    "profile.dev.codegen-units=16",
    "profile.dev.strip=false",
    "profile.dev.rpath=false",
];

/// Kept of what cargo says; a failing build says some KiB.
const CAP: usize = 256 << 10;

pub(super) fn rustflags(linkage: Linkage) -> String {
    // A lint that a later compiler denies is no reason to fail.
    let mut flags = vec!["--cfg", "tokio_unstable", "--cap-lints", "warn"];
    if linkage == Linkage::Dylib {
        flags.extend(["-C", "prefer-dynamic"]);
        if cfg!(target_os = "macos") {
            // Else the library's own name is its absolute path in cargo's folder.
            flags.extend(["-C", "rpath"]);
        }
    }
    flags.join("\x1f")
}

pub(super) async fn build(
    place: &Place,
    toolchain: &Toolchain,
    sources: &LabSources,
    options: Options,
    progress: &mut impl FnMut(Progress),
) -> Result<Built, Fault> {
    let plan = plan(place, toolchain, sources, options, progress).await?;
    link(&place.sources(), &plan.in_source(&sources.added))
        .map_err(|error| Fault::new(&format!("cannot write the lab's sources: {error}")))?;
    let target = place.target();
    let mut tracker = Tracker::new(&plan, &target, &toolchain.host, place.linkage);
    let mut command = command(toolchain, sources);
    command.env("CARGO_BUILD_BUILD_DIR", &target);
    match place.linkage {
        Linkage::Dylib => command.args(["build", "--lib"]),
        Linkage::Rlib => command.args(["rustc", "--lib", "--crate-type", "rlib"]),
    };
    command
        .args([
            "--message-format",
            "json-render-diagnostics",
            "--target",
            &toolchain.host,
        ])
        .arg("--target-dir")
        .arg(&target);
    manifest(&mut command, &place.sources(), sources, options);
    for setting in PROFILE {
        command.args(["--config", setting]);
    }
    run(command, |line| match line {
        Line::Out(line) => {
            let message = serde_json::from_str::<Message>(line).ok();
            if let Some((done, total, krate)) = message.and_then(|message| tracker.on(&message)) {
                progress(Progress::Compiling { done, total, krate });
            }
        }
        Line::Err(line) => fetching(line, progress),
    })
    .await?;
    tracker
        .finish()
        .ok_or_else(|| Fault::new("cargo ended well, but named no library of the lab"))
}

/// Fetches what is missing, too.
async fn plan(
    place: &Place,
    toolchain: &Toolchain,
    sources: &LabSources,
    options: Options,
    progress: &mut impl FnMut(Progress),
) -> Result<Plan, Fault> {
    let mut command = command(toolchain, sources);
    command.args([
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        &toolchain.host,
    ]);
    manifest(&mut command, &place.sources(), sources, options);
    let mut out = String::new();
    run(command, |line| match line {
        Line::Out(line) => out.push_str(line),
        Line::Err(line) => fetching(line, progress),
    })
    .await?;
    let metadata = serde_json::from_str::<Metadata>(&out)
        .map_err(|error| Fault::new(&format!("`cargo metadata`: {error}")))?;
    Plan::new(&metadata).ok_or_else(|| Fault::new("`cargo metadata` names no package"))
}

/// All of the lab's crates for this machine, without a network.
pub(super) async fn fetched(
    toolchain: &Toolchain,
    dir: &Path,
    sources: &LabSources,
) -> Result<(), Fault> {
    let mut command = command(toolchain, sources);
    command.args(["fetch", "--target", &toolchain.host]);
    manifest(&mut command, dir, sources, Options { offline: true });
    run(command, |_| {}).await
}

/// Copies all crates of the lock file, those for other systems too; what cargo says must stand in a configuration.
pub(super) async fn vendor(
    toolchain: &Toolchain,
    dir: &Path,
    sources: &LabSources,
    options: Options,
    into: &Path,
    progress: &mut impl FnMut(Progress),
) -> Result<String, Fault> {
    let mut command = command(toolchain, sources);
    // With the user's sources: a house may have a mirror and nothing else.
    command.args(["vendor", "--versioned-dirs", "--respect-source-config"]);
    // Aside: the workbook around may say that crates come from the copy that is to be replaced.
    command.current_dir(dir);
    manifest(&mut command, dir, sources, options);
    command.arg(into);
    let mut out = String::new();
    run(command, |line| match line {
        Line::Out(line) => {
            out.push_str(line);
            out.push('\n');
        }
        Line::Err(line) => fetching(line, progress),
    })
    .await?;
    Ok(out)
}

fn manifest(command: &mut Command, dir: &Path, sources: &LabSources, options: Options) {
    command
        .arg("--locked")
        .arg("--manifest-path")
        .arg(dir.join("Cargo.toml"));
    if options.offline || sources.vendored.is_some() {
        command.arg("--offline");
    }
}

/// In the current folder: a workbook's `.cargo/config.toml` may say where crates come from. One that brings them itself
/// may be another than the current folder.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo is started here, as a group"
)]
fn command(toolchain: &Toolchain, sources: &LabSources) -> Command {
    let mut command = Command::new(&toolchain.cargo);
    for (name, _) in std::env::vars_os() {
        if !environment::reaches_cargo(&name.to_string_lossy()) {
            command.env_remove(&name);
        }
    }
    if let Some(root) = &sources.vendored {
        command.current_dir(root);
    }
    command
        .env("RUSTC", &toolchain.rustc)
        // Set, not removed: a variable, even an empty one, comes before the user's configuration.
        .env("RUSTC_WRAPPER", "")
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(toolchain.linkage()))
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_TERM_PROGRESS_WHEN", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

enum Line<'a> {
    Out(&'a str),
    Err(&'a str),
}

/// `Err` has the last lines that cargo wrote to standard error.
async fn run(command: Command, mut on: impl FnMut(Line<'_>)) -> Result<(), Fault> {
    let mut group = Group::spawn(command).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Fault {
            cause: Cause::NoCargo,
            said: String::new(),
        },
        _ => Fault::new(&format!("cannot start cargo: {error}")),
    })?;
    let mut out = lines(group.stdout());
    let mut err = lines(group.stderr());
    let mut said = String::new();
    while out.is_some() || err.is_some() {
        tokio::select! {
            line = next(&mut out) => if let Some(line) = line { on(Line::Out(&line)) },
            line = next(&mut err) => if let Some(line) = line {
                on(Line::Err(&line));
                if said.len() < CAP {
                    said.push_str(&line);
                    said.push('\n');
                }
            },
        }
    }
    let status = group
        .leader_exit()
        .await
        .map_err(|error| Fault::new(&format!("cannot wait for cargo: {error}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Fault::new(&said))
}

type Lines<T> = Option<tokio::io::Split<BufReader<T>>>;

fn lines<T: AsyncRead + Unpin>(from: Option<T>) -> Lines<T> {
    from.map(|from| BufReader::new(from).split(b'\n'))
}

/// Cancel safe. Sets it to `None` at the end, and then never comes back.
async fn next<T: AsyncRead + Unpin>(from: &mut Lines<T>) -> Option<String> {
    let Some(lines) = from else {
        return std::future::pending().await;
    };
    match lines.next_segment().await {
        Ok(Some(line)) => Some(
            String::from_utf8_lossy(&line)
                .trim_end_matches('\r')
                .to_string(),
        ),
        Ok(None) | Err(_) => {
            *from = None;
            None
        }
    }
}

fn fetching(line: &str, progress: &mut impl FnMut(Progress)) {
    let line = line.trim();
    if [
        "Updating",
        "Downloading",
        "Downloaded",
        "Blocking",
        "Vendoring",
    ]
    .iter()
    .any(|word| line.starts_with(word))
    {
        progress(Progress::Fetching {
            what: line.to_string(),
        });
    }
}
