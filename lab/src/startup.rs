//! What the runner asked for, read before `main`, and the limits that must hold from the first instruction.
//! Knows nothing of checks.

use std::path::PathBuf;
use std::sync::OnceLock;

#[cfg(target_os = "linux")]
mod linux;

/// The heap cap where the runner names none.
const DEFAULT_MEMORY: u64 = 256 << 20;

#[derive(Debug)]
pub(crate) struct Settings {
    /// Where records go. `None`: started by hand; they go to standard error as sentences.
    pub(crate) record: Option<PathBuf>,
    /// With which records are sealed, so that none but the lab's are believed. `None`: nobody asked for seals.
    pub(crate) key: Option<[u8; 16]>,
    /// The subject's path as it stands in debug information.
    pub(crate) subject: PathBuf,
    /// Bytes.
    pub(crate) memory: u64,
    pub(crate) seed: u64,
    /// Polls and threads of an incident are written down.
    pub(crate) observe: bool,
    parent: Option<u32>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

pub(crate) fn settings() -> &'static Settings {
    SETTINGS.get_or_init(Settings::read)
}

/// Whether the runner watches: then an ending is recorded and final, else it is a panic that a test can catch.
pub(crate) fn under_the_runner() -> bool {
    settings().record.is_some()
}

impl Settings {
    fn read() -> Settings {
        Settings {
            record: std::env::var_os("ASYNCLINGS_RECORD").map(PathBuf::from),
            key: std::env::var_os("ASYNCLINGS_SEALED").and_then(|_| key()),
            subject: std::env::var_os("ASYNCLINGS_SUBJECT")
                .map_or_else(PathBuf::new, PathBuf::from),
            memory: number("ASYNCLINGS_MEMORY").unwrap_or(DEFAULT_MEMORY),
            seed: number("ASYNCLINGS_SEED").unwrap_or_else(seed_of_the_day),
            observe: std::env::var_os("ASYNCLINGS_OBSERVE").is_some(),
            parent: number("ASYNCLINGS_PARENT").and_then(|pid| u32::try_from(pid).ok()),
        }
    }
}

/// The runner writes it into standard input and closes that. Not by the environment: that of its start stays readable
/// to a process to its end.
fn key() -> Option<[u8; 16]> {
    use std::io::Read;
    let mut key = [0; 16];
    std::io::stdin().read_exact(&mut key).ok()?;
    Some(key)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seed_of_the_day() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}

/// Runs before `main`, once.
fn early() {
    let settings = settings();
    crate::memory::set_cap(settings.memory);
    hide();
    #[cfg(target_os = "linux")]
    linux::limit(settings);
    #[cfg(unix)]
    crate::ending::watch();
}

/// The subject must not find the record file: it could write a verdict of its own. A backtrace of std's would read
/// the debug information of everything, for half a second and forty megabytes, at each panic; the record has lines.
fn hide() {
    let ours = [
        "RECORD", "SEALED", "SUBJECT", "MEMORY", "SEED", "OBSERVE", "PARENT",
    ]
    .map(|name| format!("ASYNCLINGS_{name}"));
    let backtraces = ["RUST_BACKTRACE", "RUST_LIB_BACKTRACE"].map(str::to_owned);
    let costly = backtraces.into_iter().filter(|_| under_the_runner());
    for name in ours.into_iter().chain(costly) {
        // SAFETY: `early` runs before `main` on the only thread there is, so nobody reads the environment now.
        unsafe { std::env::remove_var(name) };
    }
}

// SAFETY of all three: the loader calls these sections' entries once, before `main`, after the libraries that
// this one depends on are ready; a function without arguments may ignore those that it is given.
#[used]
#[cfg_attr(
    any(target_os = "linux", target_os = "android", target_os = "freebsd"),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(target_os = "windows", unsafe(link_section = ".CRT$XCU"))]
static EARLY: extern "C" fn() = {
    extern "C" fn run() {
        early();
    }
    run
};
