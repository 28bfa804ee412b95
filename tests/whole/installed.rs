//! What is published is enough: installed from the package into an empty home, it writes a workbook and judges it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::cache;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

#[track_caller]
fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
    output
}

fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(REPOSITORY);
    command
}

/// The package's contents, as a registry would hand them out.
fn package(into: &Path) -> PathBuf {
    succeeds(
        cargo()
            .args([
                "package",
                "-p",
                "asynclings",
                "--no-verify",
                "--allow-dirty",
                "--locked",
                "--target-dir",
            ])
            .arg(into),
    );
    let name = concat!(env!("CARGO_PKG_NAME"), "-", env!("CARGO_PKG_VERSION"));
    let archive = into.join("package").join(format!("{name}.crate"));
    succeeds(
        Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(into),
    );
    into.join(name)
}

#[test]
fn installed_from_the_package_it_writes_a_workbook_that_can_be_solved() {
    let home = tempfile::tempdir().unwrap();
    let sources = package(&home.path().join("package"));
    // The repository's target folder has the dependencies built already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    succeeds(
        cargo()
            .args(["install", "--debug", "--locked", "--no-track", "--path"])
            .arg(&sources)
            .arg("--root")
            .arg(home.path())
            .arg("--target-dir")
            .arg(target),
    );

    let run = |folder: &Path, args: &[&str]| {
        Command::new(home.path().join("bin/asynclings"))
            .current_dir(folder)
            .env("HOME", home.path())
            .env("ASYNCLINGS_CACHE", cache())
            .env("NO_COLOR", "1")
            .args(args)
            .output()
            .unwrap()
    };
    assert!(run(home.path(), &["init", "workbook"]).status.success());
    let workbook = home.path().join("workbook");

    let shipped = run(&workbook, &["run", "self_deadlock"]);
    let text = String::from_utf8_lossy(&shipped.stdout);
    assert_eq!(shipped.status.code(), Some(1), "{text}");
    assert!(
        text.contains("exercises/04_locks/self_deadlock.rs:"),
        "{text}"
    );

    let solution = Path::new(REPOSITORY).join("solutions/04_locks/self_deadlock.rs");
    fs::copy(
        solution,
        workbook.join("exercises/04_locks/self_deadlock.rs"),
    )
    .unwrap();
    let solved = run(&workbook, &["run", "self_deadlock"]);
    let text = String::from_utf8_lossy(&solved.stdout);
    assert_eq!(solved.status.code(), Some(0), "{text}");
    let list = run(&workbook, &["list", "--format", "json"]);
    assert!(
        String::from_utf8_lossy(&list.stdout).contains("\"done\":1"),
        "{list:?}"
    );
}
