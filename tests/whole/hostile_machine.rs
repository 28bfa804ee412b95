//! Machines with something missing or broken: a clear word, the right exit status, and nothing lost.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use crate::support::{TINY_SOLUTION, Tiny, asynclings, cache};

#[track_caller]
fn says(output: &Output, status: i32, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

#[test]
fn without_a_toolchain_it_says_how_to_get_one() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let empty = tempfile::tempdir().unwrap();
    let output = asynclings()
        .current_dir(tiny.root())
        .env("PATH", empty.path())
        .args(["run", "tiny"])
        .output()
        .unwrap();
    says(&output, 3, &["rustc", "rustup"]);
}

#[test]
fn a_toolchain_older_than_the_msrv_is_named_with_what_is_needed() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let path = tempfile::tempdir().unwrap();
    for tool in ["rustc", "cargo"] {
        let file = path.path().join(tool);
        let text = format!(
            "#!/bin/sh\necho '{tool} 1.70.0 (90c541806 2023-05-31)'\necho 'binary: rustc'\necho 'host: x86_64-unknown-linux-gnu'\necho 'release: 1.70.0'\n"
        );
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let output = asynclings()
        .current_dir(tiny.root())
        .env("PATH", format!("{}:/usr/bin:/bin", path.path().display()))
        .args(["run", "tiny"])
        .output()
        .unwrap();
    says(
        &output,
        3,
        &["1.70.0", env!("CARGO_PKG_RUST_VERSION"), "rustup update"],
    );
}

#[test]
fn progress_that_cannot_be_written_is_a_warning_beside_the_verdict() {
    let tiny = Tiny::new(TINY_SOLUTION);
    fs::write(
        tiny.root().join(".asynclings"),
        "a file in the folder's place",
    )
    .unwrap();
    let output = tiny.asynclings(&["run", "tiny"]);
    says(&output, 0, &["warning", ".asynclings"]);
}

/// Runs a script in a mount namespace of its own, where the workbook may be put on a file system that is full or
/// read-only; `None` where this system lets nobody but root do that.
#[cfg(target_os = "linux")]
fn in_own_mounts(tiny: &Tiny, mounts: &str) -> Option<Output> {
    let script = format!("{mounts}\ncd \"$W\" && exec \"$A\" run tiny");
    let run = |args: &[&str], script: &str| {
        Command::new("unshare")
            .args(args)
            .args(["sh", "-euc", script])
            .env("W", tiny.root())
            .env("A", env!("CARGO_BIN_EXE_asynclings"))
            .env("ASYNCLINGS_CACHE", cache())
            .env("NO_COLOR", "1")
            .output()
            .ok()
    };
    let ways: [&[&str]; 2] = [&["-m"], &["-r", "-m"]];
    let way = ways.into_iter().find(|way| {
        run(way, "mount -t tmpfs none /mnt").is_some_and(|output| output.status.success())
    });
    if way.is_none() {
        eprintln!("skipped: this system lets nobody but root mount");
    }
    run(way?, &script)
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_workbook_is_checked_all_the_same() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let mounts = "mount --bind \"$W\" \"$W\" && mount -o remount,ro,bind \"$W\"";
    if let Some(output) = in_own_mounts(&tiny, mounts) {
        says(&output, 0, &["warning", "progress"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_progress_of_this_run_and_nothing_else() {
    let tiny = Tiny::new(TINY_SOLUTION);
    assert_eq!(tiny.asynclings(&["run", "tiny"]).status.code(), Some(0));
    let saved = tiny.root().join(".asynclings/progress.toml");
    let before = fs::read_to_string(&saved).unwrap();
    let mounts = "S=$(mktemp -d) && cp -a \"$W/.\" \"$S\" && mount -t tmpfs -o size=128k none \"$W\" && cp -a \"$S/.\" \"$W\" \
                  && (cat /dev/zero > \"$W/full\" || true) 2>/dev/null";
    let script = format!(
        "{mounts}\n(cd \"$W\" && \"$A\" run tiny); echo \"status $?\"; cat \"$W/.asynclings/progress.toml\"; cd /"
    );
    if let Some(output) = in_own_mounts(&tiny, &script) {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.contains("status 0"),
            "{text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            text.contains(&before),
            "the progress that was saved is gone: {text}"
        );
        assert!(String::from_utf8_lossy(&output.stderr).contains("warning"));
    }
}
