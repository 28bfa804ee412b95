//! `doctor --offline`: whether this machine and workbook do without a network.

use std::path::Path;

use super::{Finding, Of, State, note, ok, wrong};
use crate::prepare::{self, Cache, LabSources};
use crate::workbook::{CARGO_CONFIG, VENDOR, cache_root};

const WITH_NETWORK: &str = "with a network: `asynclings run` here once; or `asynclings init DIR --vendor` writes a folder to copy here";
const COPY_AGAIN: &str = "copy the folder again from where it is whole; with a network, `asynclings update` in it brings them anew";

pub(super) async fn findings(sources: &LabSources) -> Vec<Finding> {
    let mut findings = vec![Finding::new(Of::Machine, "linker", linker())];
    let Ok(root) = cache_root() else {
        return findings;
    };
    let cache = Cache { root };
    let vendored = sources.vendored.as_deref();
    let crates = vendored.map(|root| crates(root, sources));
    let whole = matches!(crates, Some(State::Ok { .. }));
    findings.extend(crates.map(|state| Finding::new(Of::Workbook, "crates", state)));
    let state = match prepare::built(&cache, sources).await {
        Ok(Some(_)) => ok("the lab is built, and nothing else is ever downloaded"),
        Err(_) => note("not known without a toolchain", "mend the toolchain first"),
        Ok(None) if whole => ok(format!("the first run builds the lab from {VENDOR}/")),
        Ok(None) if vendored.is_some() => wrong(
            format!("the lab is not built, and {VENDOR}/ is not whole"),
            COPY_AGAIN,
        ),
        Ok(None) => match prepare::fetched(&cache, sources).await {
            Ok(()) => ok("the first run builds the lab: cargo has its crates on this machine"),
            Err(_) => wrong(
                "the lab is not built, and its crates are not on this machine",
                WITH_NETWORK,
            ),
        },
    };
    findings.push(Finding::new(Of::Machine, "offline", state));
    findings
}

/// As they were brought, all of them: cargo would find out as well, one after another.
fn crates(root: &Path, sources: &LabSources) -> State {
    let lock = &sources.lock;
    let faults = [
        prepare::missing(root, lock)
            .into_iter()
            .map(|krate| format!("{VENDOR}/ lacks {krate}"))
            .collect(),
        prepare::damage(root, lock)
            .into_iter()
            .map(|file| format!("{file} is not as it was brought"))
            .collect::<Vec<_>>(),
    ]
    .concat();
    match faults.as_slice() {
        [] if !root.join(CARGO_CONFIG).is_file() => wrong(
            format!("{CARGO_CONFIG}, which says that crates come from {VENDOR}/, is gone"),
            COPY_AGAIN,
        ),
        [] => ok(format!("all are in {VENDOR}/, as they were brought")),
        [first] => wrong(first.clone(), COPY_AGAIN),
        [first, more @ ..] => wrong(format!("{first} (and {} more)", more.len()), COPY_AGAIN),
    }
}

/// Rust brings none, and each check is linked.
#[cfg(unix)]
fn linker() -> State {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::split_paths(&path)
        .map(|dir| dir.join("cc"))
        .find(|cc| cc.is_file())
    {
        Some(cc) => ok(cc.display().to_string()),
        None => wrong(
            "there is no `cc` on the path",
            "install a C compiler: gcc, clang or the Xcode tools",
        ),
    }
}

/// rustc asks the registry for it.
#[cfg(not(unix))]
fn linker() -> State {
    note(
        "not looked for on this system",
        "the first run says whether one is missing",
    )
}
