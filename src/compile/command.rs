//! The command line for rustc. Starts nothing.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use anyhow::Result;

use super::slot::{BINARY, CHECKS, ROOT, SUBJECT, SUBJECT_LIBRARY, SUBJECT_ROOT, Slot};
use super::{Job, Kind, Part, Reuse};
use crate::confine::Sandbox;
use crate::prepare::{Lab, Linkage};

#[expect(
    clippy::disallowed_methods,
    reason = "rustc is started here, as a group"
)]
pub(super) fn command(lab: &Lab, job: &Job<'_>, slot: &Slot, part: Part) -> Result<Command> {
    let mut command = Command::new(&lab.rustc);
    confined(&mut command, job.sandbox, slot)?;
    command
        .current_dir(slot.folder())
        .args(arguments(lab, job, slot, part))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    without_rustc_variables(&mut command);
    Ok(command)
}

/// Before anything else is set on the command.
pub(super) fn confined(
    command: &mut Command,
    sandbox: Option<&Sandbox>,
    slot: &Slot,
) -> Result<()> {
    sandbox.map_or(Ok(()), |sandbox| sandbox.compiler(command, slot.folder()))
}

/// `RUSTC_BOOTSTRAP` and the like: what compiles here has to compile for everybody.
pub(super) fn without_rustc_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RUSTC") {
            command.env_remove(&name);
        }
    }
}

/// What clippy needs to see the lab's crates, and the learner's paths.
pub(super) fn for_lint(lab: &Lab, job: &Job<'_>, slot: &Slot) -> Vec<OsString> {
    let mut all = Arguments::default();
    all.words(&[
        "--cfg",
        "tokio_unstable",
        "--check-cfg",
        "cfg(tokio_unstable)",
    ]);
    remap(&mut all, job, slot);
    externs(&mut all, lab);
    if lab.linkage == Linkage::Dylib {
        all.words(&["-C", "prefer-dynamic"]);
    }
    all.0
}

fn arguments(lab: &Lab, job: &Job<'_>, slot: &Slot, part: Part) -> Vec<OsString> {
    let mut all = Arguments::default();
    match (job.kind, part) {
        // Of the same name, so that the names of its types are the same; `cfg(test)` holds in it as in the whole.
        (_, Part::SubjectAlone) => all.words(&[
            SUBJECT_ROOT,
            "--crate-name",
            "check",
            "--crate-type",
            "rlib",
            "--cfg",
            "test",
            "-C",
            "metadata=subject",
            "-o",
            SUBJECT_LIBRARY,
        ]),
        (Kind::Checks, _) => all.words(&[ROOT, "--crate-name", "check", "--test", "-o", BINARY]),
        (Kind::Main, _) => all.words(&[
            SUBJECT,
            "--crate-name",
            "exercise",
            "--crate-type",
            "bin",
            "-o",
            BINARY,
        ]),
    };
    if part == Part::Checks {
        all.words(&["--extern", &format!("subject={SUBJECT_LIBRARY}")]);
    }
    all.words(&["--edition", "2024", "-C", "debuginfo=line-tables-only"]);
    all.words(&["--error-format=json", "--json=diagnostic-rendered-ansi"]);
    // Under `--test` nothing calls `main`, nor what only `main` calls.
    all.words(&[
        "-A",
        "dead_code",
        "--cfg",
        "tokio_unstable",
        "--check-cfg",
        "cfg(tokio_unstable)",
    ]);
    match slot.reuse() {
        Reuse::Incremental => {
            all.words(&["-C"])
                .joined("incremental=", &slot.incremental());
        }
        // Other subjects have the other cores: more units would only cost more.
        Reuse::Once => {
            all.words(&["-C", "codegen-units=1"]);
        }
    }
    remap(&mut all, job, slot);
    match part {
        // A library is not linked, and whoever compiles it has no lab.
        Part::SubjectAlone => {
            if lab.linkage == Linkage::Dylib {
                all.words(&["-C", "prefer-dynamic"]);
            }
            crates(&mut all, lab);
        }
        _ => link(&mut all, lab),
    }
    all.0
}

/// The last that fits wins. The folder itself becomes nothing, so that debug information has `exercises/..` and not
/// `/somewhere/exercises/..`.
fn remap(all: &mut Arguments, job: &Job<'_>, slot: &Slot) {
    let mut folder = OsString::from("--remap-path-prefix=");
    folder.push(slot.folder());
    folder.push("=");
    all.0.push(folder);
    all.words(&[&format!(
        "--remap-path-prefix={SUBJECT}={}",
        job.subject_display
    )]);
    if let Some((_, display)) = job.checks {
        all.words(&[&format!("--remap-path-prefix={CHECKS}={display}")]);
    }
}

fn externs(all: &mut Arguments, lab: &Lab) {
    crates(all, lab);
    all.words(&["--extern"]).joined("lab=", &lab.lab);
}

/// What an exercise may use.
fn crates(all: &mut Arguments, lab: &Lab) {
    for folder in &lab.search {
        all.words(&["-L"]).joined("dependency=", folder);
    }
    for krate in &lab.externs {
        all.words(&["--extern"])
            .joined(&format!("{}=", krate.name), &krate.path);
    }
}

fn link(all: &mut Arguments, lab: &Lab) {
    externs(all, lab);
    if lab.linkage == Linkage::Dylib {
        all.words(&["-C", "prefer-dynamic"]);
        // Cargo sets LD_LIBRARY_PATH for a `cargo run`; the old kind of tag comes before it.
        if cfg!(target_os = "linux") {
            all.linker("--disable-new-dtags".as_ref());
        }
        for folder in lab
            .lab
            .parent()
            .into_iter()
            .chain([lab.std_dir().as_path()])
        {
            all.linker("-rpath".as_ref());
            all.linker(folder);
        }
    }
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn words(&mut self, words: &[&str]) -> &mut Self {
        self.0.extend(words.iter().map(OsString::from));
        self
    }

    fn joined(&mut self, name: &str, path: &Path) {
        let mut argument = OsString::from(name);
        argument.push(path);
        self.0.push(argument);
    }

    /// Not `-Wl,`: a path may have a comma.
    fn linker(&mut self, word: &Path) {
        self.words(&["-C", "link-arg=-Xlinker", "-C"])
            .joined("link-arg=", word);
    }
}
