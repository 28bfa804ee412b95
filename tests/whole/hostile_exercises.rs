//! Exercises that misbehave, through the real binary: each gets its verdict, its line, and leaves nothing behind.

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::running;
use crate::support::{Tiny, line_of};

/// An exercise whose `serve` has this body; the line marked `HERE` is the one to be named.
fn subject(body: &str) -> String {
    format!(
        "pub async fn serve(order: u64) -> u64 {{\n{body}\n    order + 1\n}}\n\nfn main() {{}}\n"
    )
}

#[track_caller]
fn expect(body: &str, verdict: &str, kind: Option<&str>) -> Value {
    let source = subject(body);
    let (json, status) = Tiny::new(&source).verdict();
    assert_eq!(json["verdict"], verdict, "{json:#}");
    assert_eq!(json["kind"].as_str(), kind, "{json:#}");
    assert_eq!(status, Some(i32::from(verdict != "passed")), "{json:#}");
    let line = line_of(&source, "HERE");
    if line > 0 {
        assert_eq!(json["at"][0]["line"], line, "{json:#}");
        assert_eq!(
            json["at"][0]["file"], "exercises/01_test/tiny.rs",
            "{json:#}"
        );
    }
    json
}

#[test]
fn a_loop_without_await_is_spinning() {
    expect(
        "    let mut n = order; loop { n = std::hint::black_box(n.wrapping_mul(3)); } // HERE",
        "hung",
        Some("spinning"),
    );
}

#[test]
fn a_loop_that_only_yields_is_spinning() {
    expect(
        "    loop { tokio::task::yield_now().await; } // HERE",
        "hung",
        Some("spinning"),
    );
}

#[test]
fn a_day_asleep_in_the_task_is_waiting() {
    expect(
        "    tokio::time::sleep(std::time::Duration::from_secs(86_400)).await; // HERE",
        "hung",
        Some("waiting"),
    );
}

#[test]
fn a_day_asleep_in_the_thread_is_blocked() {
    expect(
        "    std::thread::sleep(std::time::Duration::from_secs(86_400)); // HERE",
        "hung",
        Some("blocked"),
    );
}

#[test]
fn heap_without_end_is_over_memory() {
    expect(
        "    let mut all: Vec<Vec<u8>> = Vec::new();\n    loop {\n        all.push(vec![1; 1 << 20]); // HERE\n        if all.len() > 1_000_000 {\n            break;\n        }\n    }",
        "over_memory",
        None,
    );
}

#[test]
fn one_reservation_of_64_gib_is_over_memory() {
    expect(
        "    drop(std::hint::black_box(Vec::<u8>::with_capacity(64 << 30))); // HERE",
        "over_memory",
        None,
    );
}

#[test]
fn a_stack_overflow_ends_early_and_says_so() {
    let json = expect(
        "    fn deep(n: u64) -> u64 { let pad = std::hint::black_box([n; 512]); deep(n + 1) + pad[3] }\n    std::hint::black_box(deep(order));",
        "ended_early",
        None,
    );
    assert!(json.to_string().contains("stack"), "{json:#}");
}

#[test]
fn a_gigabyte_of_output_is_capped() {
    let json = expect(
        "    let line = \"x\".repeat(1 << 20);\n    for _ in 0..1024 { println!(\"{line}\"); }",
        "passed",
        None,
    );
    assert!(
        json.to_string().len() < 200_000,
        "{}",
        json.to_string().len()
    );
}

#[test]
fn output_that_is_no_utf8_is_no_trouble() {
    expect(
        "    use std::io::Write; std::io::stdout().write_all(&[0xff, 0xfe, 0x00, b'\\n']).unwrap();",
        "passed",
        None,
    );
}

#[test]
fn reading_stdin_meets_its_end() {
    expect(
        "    let mut text = String::new(); std::io::stdin().read_line(&mut text).unwrap();",
        "passed",
        None,
    );
}

#[test]
fn exit_zero_is_no_pass() {
    expect(
        "    if order == 20 { std::process::exit(0); }",
        "ended_early",
        None,
    );
}

/// The records lie in the folder that a check runs in.
#[test]
fn a_record_of_its_own_is_no_pass() {
    let body = r##"    if order == 20 {
        let forged = "{\"record\":\"started\"}\n{\"record\":\"finished\",\"peak\":1}\n";
        for file in std::fs::read_dir(".").unwrap() {
            let path = file.unwrap().path();
            let genuine = std::fs::read_to_string(&path).unwrap();
            let again = genuine.replace("started", "finished");
            std::fs::write(&path, [&genuine, forged, &again, &genuine].concat()).unwrap();
        }
        std::process::exit(0);
    }"##;
    expect(body, "ended_early", None);
}

#[test]
fn a_check_within_the_check_is_no_pass() {
    expect(
        "    if order == 20 {
        std::thread::spawn(|| lab::paused(|| async {})).join().unwrap();
        std::process::exit(0);
    }",
        "ended_early",
        None,
    );
}

/// What the checks name is never the exercise's, whatever it defines.
#[test]
fn a_lab_of_its_own_is_no_pass() {
    let stands_in = "pub mod lab {\n    pub fn paused<F: Future>(_: impl FnOnce() -> F) {}\n    pub fn expect_eq<T>(_: T, _: T, _: &str) {}\n}\n";
    let definitions = [
        stands_in.to_string(),
        format!("mod mine {{\n{stands_in}}}\npub use mine::*;\n"),
        format!("mod mine {{\n{stands_in}}}\npub use mine::lab as lab;\n"),
        "pub mod std {}\npub mod tokio {}\npub mod core {}\npub struct String;\npub fn Ok() {}\n"
            .to_string(),
    ];
    for definition in definitions {
        let wrong = format!(
            "#![allow(non_snake_case)]\n{definition}pub async fn serve(order: u64) -> u64 {{\n    order\n}}\n\nfn main() {{}}\n"
        );
        let (json, status) = Tiny::new(&wrong).verdict();
        assert_eq!(json["verdict"], "check_failed", "{json:#}");
        assert_eq!(status, Some(1));
    }
}

#[test]
fn abort_ends_early() {
    expect(
        "    if order == 20 { std::process::abort(); }",
        "ended_early",
        None,
    );
}

#[cfg(unix)]
#[test]
fn closing_its_own_stdout_changes_nothing() {
    expect(
        "    use std::os::fd::FromRawFd; drop(unsafe { std::fs::File::from_raw_fd(1) });",
        "passed",
        None,
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_detached_thread_is_left_running() {
    expect(
        "    std::thread::spawn(|| loop {\n        std::thread::park(); // HERE\n    });",
        "left_running",
        None,
    );
}

#[test]
fn a_detached_task_is_left_running() {
    expect(
        "    tokio::spawn(std::future::pending::<()>()); // HERE",
        "left_running",
        None,
    );
}

/// What a thread leaves is read by glibc while it detaches it; by itself it keeps 40 MB of
/// stacks, which are twenty.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_stacks_of_ended_threads_stay_mapped() {
    let version = std::process::Command::new("getconf")
        .arg("GNU_LIBC_VERSION")
        .output();
    let version = String::from_utf8(version.unwrap().stdout).unwrap();
    let minor = version.trim().strip_prefix("glibc 2.");
    if minor.and_then(|minor| minor.parse().ok()) < Some(34) {
        eprintln!("not checked: `{}` has no tunable for it", version.trim());
        return;
    }
    expect(
        r#"    const THREADS: usize = 64;
    let all = std::sync::Arc::new(std::sync::Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let all = all.clone();
            std::thread::spawn(move || {
                all.wait();
                &raw const all as usize
            })
        })
        .collect();
    let stacks: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mapped = |stack: &usize| {
        maps.lines().any(|line| {
            let (start, rest) = line.split_once('-').unwrap();
            let end = rest.split(' ').next().unwrap();
            let address = |hex| usize::from_str_radix(hex, 16).unwrap();
            (address(start)..address(end)).contains(stack)
        })
    };
    assert_eq!(stacks.iter().filter(|stack| mapped(stack)).count(), THREADS);"#,
        "passed",
        None,
    );
}

/// The children carry a mark in their command line by which the test looks for them afterwards.
#[cfg(target_os = "linux")]
#[test]
fn children_that_ignore_sigterm_do_not_survive() {
    let mark = format!("asynclings-child-{}", std::process::id());
    let body = format!(
        "    for _ in 0..3 {{ std::process::Command::new(\"sh\").args([\"-c\", \"trap '' TERM; while :; do sleep 1; done\", {mark:?}]).spawn().unwrap(); }} // HERE"
    );
    let source = subject(&body);
    let (json, _) = Tiny::new(&source).verdict();
    assert_eq!(json["verdict"], "left_running", "{json:#}");
    assert_eq!(running(&mark), 0, "children survived");
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_in_a_session_of_its_own_does_not_survive() {
    let mark = format!("asynclings-daemon-{}", std::process::id());
    let body = format!(
        "    std::process::Command::new(\"setsid\").args([\"sh\", \"-c\", \"trap '' TERM; while :; do sleep 1; done\", {mark:?}]).spawn().unwrap();"
    );
    Tiny::new(&subject(&body)).verdict();
    assert_eq!(running(&mark), 0, "a daemon survived");
}

#[test]
fn a_syntax_error_on_the_last_line_names_it() {
    let source = "pub async fn serve(order: u64) -> u64 {\n    order + 1\n}\n\nfn main( {";
    let (json, status) = Tiny::new(source).verdict();
    assert_eq!(json["verdict"], "does_not_compile", "{json:#}");
    assert_eq!(json["at"][0]["line"], 5, "{json:#}");
    assert_eq!(status, Some(1));
}

#[test]
fn an_empty_file_is_told_what_the_checks_need() {
    let (json, status) = Tiny::new("").verdict();
    assert_eq!(json["verdict"], "does_not_compile", "{json:#}");
    assert!(
        json["diagnostics"]
            .to_string()
            .contains("pub async fn serve"),
        "{json:#}"
    );
    assert_eq!(status, Some(1));
}

#[test]
fn a_changed_signature_is_told_what_the_checks_need() {
    let (json, _) =
        Tiny::new("pub fn serve(order: String) -> String {\n    order\n}\n\nfn main() {}\n")
            .verdict();
    assert_eq!(json["verdict"], "does_not_compile", "{json:#}");
    assert!(
        json["diagnostics"].to_string().contains("the checks need"),
        "{json:#}"
    );
}

#[test]
fn a_file_that_is_gone_is_the_workbooks_fault_and_says_how_to_get_it_back() {
    let tiny = Tiny::new("");
    std::fs::remove_file(tiny.exercise()).unwrap();
    refused(&tiny, &["exercises/01_test/tiny.rs", "reset tiny"]);
}

#[test]
fn a_directory_in_its_place_is_the_workbooks_fault() {
    let tiny = Tiny::new("");
    std::fs::remove_file(tiny.exercise()).unwrap();
    std::fs::create_dir(tiny.exercise()).unwrap();
    refused(&tiny, &["exercises/01_test/tiny.rs", "directory"]);
}

#[test]
fn a_file_of_50_mb_is_refused_before_rustc_sees_it() {
    let tiny = Tiny::new(&format!("// {}\n", "x".repeat(50_000_000)));
    refused(&tiny, &["exercises/01_test/tiny.rs", "MiB"]);
}

#[track_caller]
fn refused(tiny: &Tiny, words: &[&str]) {
    let output = tiny.asynclings(&["run", "tiny"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{text}");
    for word in words {
        assert!(text.contains(word), "{word}: {text}");
    }
}
