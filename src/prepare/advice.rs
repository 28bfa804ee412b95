//! What cargo's last words mean, and what to do about it. Pure.

use std::fmt;

/// Of cargo's own, for the reader; what matters may stand before them.
const KEPT_LINES: usize = 20;

/// A build that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) cause: Cause,
    /// Cargo's last lines.
    pub(super) said: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Offline,
    Network,
    DiskFull,
    NoLinker,
    NotAllowed,
    NoCargo,
    /// The lock file of a pack that was written for another lab.
    Lock,
    Unknown,
}

/// The first that fits; cargo's words from 1.89 on.
const SIGNS: [(Cause, &[&str]); 6] = [
    (
        Cause::DiskFull,
        &[
            "No space left on device",
            "os error 28",
            "os error 112",
            "Disk quota exceeded",
            // A linker writes through a mapping, and there a full disk is a signal.
            "Bus error",
        ],
    ),
    (
        Cause::Lock,
        &[
            "because --locked was passed",
            "the lock file needs to be updated",
        ],
    ),
    (
        Cause::Offline,
        &[
            "--offline was specified",
            "using offline mode",
            "offline was specified",
            "you may be running with --offline",
            "use --offline",
        ],
    ),
    (
        Cause::Network,
        &[
            "failed to download",
            "Could not resolve host",
            "Couldn't resolve host",
            "spurious network error",
            "failed to query replaced source registry",
            "Couldn't connect to server",
            "Could not connect to server",
            "download of config.json failed",
            "SSL connect error",
            "Timeout was reached",
        ],
    ),
    (
        Cause::NoLinker,
        &[
            "linker `cc` not found",
            "linker `link.exe` not found",
            "linker `gcc` not found",
            "linker `clang` not found",
        ],
    ),
    (
        Cause::NotAllowed,
        &["Permission denied", "os error 13", "Read-only file system"],
    ),
];

impl Fault {
    pub(super) fn new(said: &str) -> Self {
        let cause = SIGNS
            .iter()
            .find(|(_, signs)| signs.iter().any(|sign| said.contains(sign)));
        let lines: Vec<&str> = said.lines().collect();
        Self {
            cause: cause.map_or(Cause::Unknown, |(cause, _)| *cause),
            said: lines[lines.len().saturating_sub(KEPT_LINES)..].join("\n"),
        }
    }

    /// Whether to try again from nothing.
    pub(super) fn may_be_the_cache(&self) -> bool {
        self.cause == Cause::Unknown
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told("cannot build the lab, which checks are made with"))
    }
}

impl Fault {
    /// What could not be done, what to do, and cargo's words.
    pub(super) fn told(&self, what: &str) -> String {
        let advice = match self.cause {
            Cause::Offline => {
                "its crates are not on this machine, and cargo was told to stay offline; run once with a network, without --offline"
            }
            Cause::Network => {
                "its crates cannot be fetched; check the network and the proxy settings, then run again"
            }
            Cause::DiskFull => {
                "the disk is full; make room, or set ASYNCLINGS_CACHE to a folder on another disk"
            }
            Cause::NoLinker => {
                "there is no linker; install a C compiler (gcc, clang, the Xcode tools or Visual Studio's build tools)"
            }
            Cause::NotAllowed => "a folder cannot be written; set ASYNCLINGS_CACHE to one that can",
            Cause::NoCargo => {
                "there is no cargo beside rustc nor on the path; install Rust from https://rustup.rs"
            }
            Cause::Lock => {
                "lab.lock does not fit lab.toml and this version of asynclings; `asynclings dev update` writes it anew"
            }
            Cause::Unknown => "cargo failed; if its words do not help, run `asynclings doctor`",
        };
        if self.said.is_empty() {
            return format!("{what}: {advice}");
        }
        format!("{what}: {advice}\ncargo's last words:\n{}", self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargos_words_are_understood() {
        let table = [
            (
                "error: failed to get `tokio`\nCaused by:\n  Could not resolve host: index.crates.io",
                Cause::Network,
            ),
            (
                "error: no matching package named `bytes` found\nAs a reminder, you're using offline mode (--offline) which",
                Cause::Offline,
            ),
            (
                "error: attempting to make an HTTP request, but --offline was specified",
                Cause::Offline,
            ),
            (
                "error: failed to write `x`: No space left on device (os error 28)",
                Cause::DiskFull,
            ),
            (
                "error: cannot update the lock file Cargo.lock because --locked was passed to prevent this",
                Cause::Lock,
            ),
            (
                "error: linker `cc` not found\n  = note: No such file or directory (os error 2)",
                Cause::NoLinker,
            ),
            ("error: could not compile `asynclings-lab`", Cause::Unknown),
        ];
        for (said, cause) in table {
            assert_eq!(Fault::new(said).cause, cause, "{said}");
        }
    }
}
