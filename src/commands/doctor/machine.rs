//! Toolchain, cache, lab, disk, watcher, terminal.

use std::path::Path;

use notify::{RecursiveMode, Watcher};

use super::{Finding, Of, State, note, ok, wrong};
use crate::core::manifest::Bytes;
use crate::prepare::{self, Cache, LabSources};
use crate::terminal;
use crate::workbook::cache_root;

/// The lab and its build take about 600 MiB.
const NEEDED: Bytes = Bytes(1 << 30);
const CACHE_ADVICE: &str =
    "set ASYNCLINGS_CACHE to a folder that can be written and has 1 GiB free";

pub(super) async fn findings(sources: &LabSources) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |what, state| findings.push(Finding::new(Of::Machine, what, state));
    match cache_root() {
        Ok(root) => {
            let cache = Cache { root };
            add("toolchain", toolchain(&cache).await);
            add("cache", cache_folder(&cache.root));
            if let Some(state) = disk(&cache.root) {
                add("disk", state);
            }
            add("lab", lab(&cache, sources).await);
        }
        Err(error) => add("cache", wrong(format!("{error:#}"), CACHE_ADVICE)),
    }
    add("watcher", watcher());
    add("terminal", screen());
    findings
}

async fn toolchain(cache: &Cache) -> State {
    match prepare::toolchain(cache).await {
        Ok(found) => ok(format!(
            "rustc {} for {}, in {}",
            found.release,
            found.host,
            found.sysroot.display()
        )),
        Err(error) => wrong(
            format!("{error:#}"),
            "https://rustup.rs installs Rust; `rustup update stable` renews it",
        ),
    }
}

fn cache_folder(root: &Path) -> State {
    let probe = std::fs::create_dir_all(root).and_then(|()| tempfile::tempfile_in(root));
    match probe {
        Ok(_) => ok(root.display().to_string()),
        Err(error) => wrong(
            format!("{} cannot be written: {error}", root.display()),
            CACHE_ADVICE,
        ),
    }
}

async fn lab(cache: &Cache, sources: &LabSources) -> State {
    match prepare::built(cache, sources).await {
        Ok(Some(lab)) => ok(format!("built: {}", lab.lab.display())),
        Ok(None) => note(
            "not built yet",
            "the first `asynclings run` builds it, in about a minute",
        ),
        Err(_) => note("not known without a toolchain", "mend the toolchain first"),
    }
}

#[cfg(unix)]
fn disk(root: &Path) -> Option<State> {
    let existing = root.ancestors().find(|dir| dir.exists())?;
    let stat = rustix::fs::statvfs(existing).ok()?;
    let free = Bytes(stat.f_bavail.saturating_mul(stat.f_frsize));
    Some(if free >= NEEDED {
        ok(format!("{free} free"))
    } else {
        wrong(format!("{free} free where the cache is"), CACHE_ADVICE)
    })
}

/// No portable way without a call of the system's own; a full disk is named when it happens.
#[cfg(not(unix))]
fn disk(_root: &Path) -> Option<State> {
    None
}

/// The same call that watch mode makes.
fn watcher() -> State {
    let watched = std::env::current_dir()
        .map_err(notify::Error::io)
        .and_then(|dir| {
            let mut watcher = notify::recommended_watcher(|_| {})?;
            watcher.watch(&dir, RecursiveMode::NonRecursive)
        });
    match watched {
        Ok(()) => ok(format!("changes of files are reported{}", inotify_limits())),
        Err(error) => note(
            format!(
                "changes of files are not reported ({error}): watch mode looks at them twice a second instead"
            ),
            "on Linux: `sudo sysctl fs.inotify.max_user_instances=1024 fs.inotify.max_user_watches=524288`",
        ),
    }
}

/// ` (inotify: 128 instances, 65536 watches)` on Linux.
fn inotify_limits() -> String {
    let limit = |name| std::fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok();
    match (limit("max_user_instances"), limit("max_user_watches")) {
        (Some(instances), Some(watches)) => {
            format!(
                " (inotify: {} instances, {} watches)",
                instances.trim(),
                watches.trim()
            )
        }
        _ => String::new(),
    }
}

fn screen() -> State {
    let (columns, rows) = terminal::dimensions();
    if !terminal::is_usable() {
        return note(
            "standard input or output is no terminal: watch mode is not possible here",
            "`asynclings run` checks once, anywhere",
        );
    }
    if terminal::is_dumb() {
        return note(
            "TERM is `dumb`: watch mode speaks in lines",
            "set TERM to what your terminal is, for a screen",
        );
    }
    let links = if terminal::has_links() {
        "links"
    } else {
        "no links"
    };
    ok(format!(
        "{columns} by {rows}, {:?} colours, {links}",
        terminal::colour()
    )
    .to_lowercase())
}
