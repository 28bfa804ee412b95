//! A sandbox for code that nobody trusts: what rustc and a check binary may read, write and do while a class is graded.
//! Landlock and seccomp on Linux; elsewhere there is none, and `Sandbox::new` says so.
//!
//! It holds for a process and all that it starts. The compiler reads the toolchain, the lab and the one folder that it
//! compiles in. A check reads those libraries, its own binary and its own folder, where it may write; it starts no
//! process, opens no socket and signals nobody but itself. Neither sees the grader's environment.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tokio::process::Command;

use crate::core::manifest::Bytes;
use crate::prepare::Lab;

#[cfg(target_os = "linux")]
mod calls;
#[cfg_attr(target_os = "linux", path = "confine/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "confine/elsewhere.rs")]
mod system;

/// Bytes that a compiler may have in memory: a macro or a constant without end asks for any amount.
const COMPILER_MEMORY: u64 = 4 << 30;
/// Bytes of one file. A check binary has three million.
const COMPILER_FILE: u64 = 256 << 20;
const CHECK_FILE: u64 = 32 << 20;
/// Beside the heap cap: thread stacks, the loader's and the debug information reader's own memory. Bytes.
const BESIDE_THE_HEAP: u64 = 2 << 30;
/// What a check may leave in its folder before it is ended: bytes, and files. A disk holds more, and is shared.
const FOLDER_BYTES: u64 = 256 << 20;
const FOLDER_FILES: usize = 1000;

/// The sandbox of one machine and lab.
#[derive(Debug, Clone)]
pub struct Sandbox {
    /// Libraries and what the loader needs to find them.
    libraries: Vec<PathBuf>,
    /// What a compiler needs beside those: programs to link with, headers of the system, crates.
    toolchain: Vec<PathBuf>,
}

/// What one process may do.
#[derive(Debug, Clone)]
struct Rules {
    read: Vec<PathBuf>,
    execute: Vec<PathBuf>,
    /// Its own folder.
    write: PathBuf,
    /// May start processes, and change the modes of its files, as a compiler and its linker do.
    compiles: bool,
    memory: u64,
    file: u64,
    /// Of processor time.
    seconds: u64,
    /// Open at a time.
    files: u64,
}

impl Sandbox {
    /// # Errors
    /// This machine has no sandbox: what is missing, and what to do.
    pub fn new(lab: &Lab) -> Result<Self> {
        system::supported()?;
        let folders = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        let mut libraries = folders(&[
            "/lib",
            "/lib32",
            "/lib64",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/local/lib",
            "/nix/store",
            "/gnu/store",
            "/etc/ld.so.cache",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/etc/ld.so.preload",
        ]);
        libraries.push(lab.std_dir());
        libraries.extend(lab.lab.parent().map(Path::to_path_buf));
        let mut toolchain = folders(&["/usr", "/bin", "/etc/alternatives"]);
        toolchain.push(lab.sysroot.clone());
        toolchain.extend(lab.search.iter().cloned());
        toolchain.extend(
            lab.externs
                .iter()
                .filter_map(|krate| krate.path.parent())
                .map(Path::to_path_buf),
        );
        toolchain.extend(linker_folder());
        Ok(Self {
            libraries,
            toolchain,
        })
    }

    /// For a compiler that writes into `folder`. Call it before anything else is set on the command: it starts with an
    /// empty environment.
    pub(crate) fn compiler(&self, command: &mut Command, folder: &Path) -> Result<()> {
        let read = [self.libraries.as_slice(), self.toolchain.as_slice()].concat();
        self.apply(
            command,
            Rules {
                execute: read.clone(),
                read,
                write: folder.to_path_buf(),
                compiles: true,
                memory: COMPILER_MEMORY,
                file: COMPILER_FILE,
                seconds: 65,
                files: 4096,
            },
        )
    }

    /// For a check binary that runs in `folder`. As for `compiler`, call it first.
    pub(crate) fn check(
        &self,
        command: &mut Command,
        binary: &Path,
        folder: &Path,
        memory: Bytes,
    ) -> Result<()> {
        let mut read = self.libraries.clone();
        read.push(binary.to_path_buf());
        let mut execute = system::loaders();
        execute.push(binary.to_path_buf());
        self.apply(
            command,
            Rules {
                read,
                execute,
                write: folder.to_path_buf(),
                compiles: false,
                memory: memory.0.saturating_add(BESIDE_THE_HEAP),
                file: CHECK_FILE,
                seconds: 600,
                files: 256,
            },
        )
    }

    fn apply(&self, command: &mut Command, rules: Rules) -> Result<()> {
        command.env_clear().env("TMPDIR", &rules.write);
        // Of the grader's environment this one alone, or no linker would be found.
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        system::restrict(command, rules)
    }
}

/// Where `cc` is, if not in the usual places.
fn linker_folder() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folder = std::env::split_paths(&path).find(|folder| folder.join("cc").is_file())?;
    let real = folder.join("cc").canonicalize().ok()?;
    Some(real.parent()?.to_path_buf())
}

/// Whether a check has filled its folder.
pub(crate) fn is_full(folder: &Path) -> bool {
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            // Made so that nobody looks into it.
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            files += 1;
            if let Ok(metadata) = entry.metadata() {
                bytes += metadata.len();
                if metadata.is_dir() {
                    folders.push(entry.path());
                }
            }
            // Not a file further: a folder of millions would hold us for as long as it took to make it.
            if files > FOLDER_FILES || bytes > FOLDER_BYTES {
                return true;
            }
        }
    }
    false
}
