//! The lab's first build, on a machine that makes it hard: settings of the user's own that would change it, a runner
//! killed in the middle, a second one at the same time.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{TINY_SOLUTION, Tiny, asynclings};

/// What a developer may have set for their own projects, and worse.
fn in_a_hostile_environment(tiny: &Tiny, cache: &Path) -> Command {
    let mut command = asynclings();
    command
        .current_dir(tiny.root())
        .env("ASYNCLINGS_CACHE", cache)
        .env("RUSTFLAGS", "--cfg nonsense -C no-such-option")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Cno-such-option")
        .env("CARGO_TARGET_DIR", tiny.root().join("elsewhere"))
        .env("CARGO_BUILD_TARGET", "wasm32-unknown-unknown")
        .env("RUSTC_WRAPPER", "/bin/false")
        .args(["run", "tiny", "--format", "json"]);
    command
}

const HOSTILE_CONFIG: &str = r#"
[build]
rustflags = ["-C", "no-such-option"]
target = "wasm32-unknown-unknown"
target-dir = "elsewhere"
rustc-wrapper = "/bin/false"

[profile.dev]
panic = "abort"
"#;

fn start(command: &mut Command) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Any crate that cargo has finished: the build is under way.
fn crates_built(cache: &Path) -> usize {
    let labs = fs::read_dir(cache).into_iter().flatten().flatten();
    let names = labs.flat_map(|lab| walk(&lab.path().join("target")));
    names.filter(|name| name.ends_with(".rlib")).count()
}

fn walk(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => walk(&path),
            path => vec![path.display().to_string()],
        })
        .collect()
}

#[test]
fn a_build_that_was_killed_is_repaired_and_two_runners_share_the_next() {
    let tiny = Tiny::new(TINY_SOLUTION);
    fs::create_dir(tiny.root().join(".cargo")).unwrap();
    fs::write(tiny.root().join(".cargo/config.toml"), HOSTILE_CONFIG).unwrap();
    let cache = tempfile::tempdir().unwrap();

    let mut killed = start(&mut in_a_hostile_environment(&tiny, cache.path()));
    let begun = Instant::now();
    while crates_built(cache.path()) == 0 {
        assert!(
            killed.try_wait().unwrap().is_none(),
            "it ended before it built anything"
        );
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "nothing was built"
        );
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();

    let both = [(); 2].map(|()| start(&mut in_a_hostile_environment(&tiny, cache.path())));
    for runner in both {
        let output = runner.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("\"verdict\":\"passed\""), "{text}");
    }

    // Half a file, as a full disk or a sudden power cut leaves it.
    let library = labs(cache.path())
        .into_iter()
        .find(|file| file.contains("liblab"))
        .unwrap();
    fs::OpenOptions::new()
        .write(true)
        .open(library)
        .unwrap()
        .set_len(1000)
        .unwrap();
    let repaired = in_a_hostile_environment(&tiny, cache.path())
        .output()
        .unwrap();
    assert_eq!(
        repaired.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&repaired.stderr)
    );
}

/// The libraries that checks are linked with: not cargo's own copies.
fn labs(cache: &Path) -> Vec<String> {
    walk(cache)
        .into_iter()
        .filter(|file| !file.contains("/target/"))
        .collect()
}
