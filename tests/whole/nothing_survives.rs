//! Whatever ends the runner, no process of a check outlives it.
#![cfg(target_os = "linux")]

use std::process::{Child, Stdio};

use crate::support::{Tiny, asynclings, running, until};

/// A check that starts a child deaf to SIGTERM and then hangs.
fn hanging(mark: &str) -> Tiny {
    Tiny::new(&format!(
        "pub async fn serve(order: u64) -> u64 {{
    std::process::Command::new(\"sh\")
        .args([\"-c\", \"trap '' TERM INT HUP; while :; do sleep 1; done\", {mark:?}])
        .spawn()
        .unwrap();
    while std::hint::black_box(order) > 0 {{}}
    order + 1
}}

fn main() {{}}
"
    ))
}

fn start(tiny: &Tiny) -> Child {
    asynclings()
        .current_dir(tiny.root())
        .args(["run", "tiny"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, signal).unwrap();
}

#[test]
fn the_death_of_the_runner_by_sigkill_takes_the_children_along() {
    let mark = format!("asynclings-killed-{}", std::process::id());
    let tiny = hanging(&mark);
    let mut child = start(&tiny);
    until("the child of the check is up", || running(&mark) > 0);
    signal(&child, rustix::process::Signal::KILL);
    child.wait().unwrap();
    until("the children are gone", || running(&mark) == 0);
}

#[test]
fn an_interrupt_ends_everything_and_says_130() {
    let mark = format!("asynclings-interrupted-{}", std::process::id());
    let tiny = hanging(&mark);
    let mut child = start(&tiny);
    until("the child of the check is up", || running(&mark) > 0);
    signal(&child, rustix::process::Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(running(&mark), 0);
}
