//! Faulty code, in the learner's place. The proofs find lines by the marker at their end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, oneshot};

pub(super) async fn locks_twice() {
    let lock = Mutex::new(1);
    let _first = lock.lock().await;
    let _second = lock.lock().await; // second lock
}

pub(super) async fn waits_in_a_task() {
    let (_keep, never) = oneshot::channel::<()>();
    let task = tokio::spawn(async { never.await.is_ok() });
    let _ = task.await; // join
}

pub(super) async fn join_of_two() {
    let (_first, one) = oneshot::channel::<()>();
    let (_second, other) = oneshot::channel::<()>();
    let left = async {
        one.await.unwrap(); // left branch
    };
    let right = async {
        other.await.unwrap(); // right branch
    };
    tokio::join!(left, right);
}

#[expect(clippy::disallowed_methods, reason = "the fault")]
pub(super) async fn sleeps_on_the_thread() {
    std::thread::sleep(Duration::from_secs(24 * 60 * 60)); // blocks
}

pub(super) async fn calls(work: Arc<dyn Fn() + Send + Sync>) {
    work(); // inline call
}

pub(super) async fn offloads(work: Arc<dyn Fn() + Send + Sync>) {
    tokio::task::spawn_blocking(move || work()).await.unwrap();
}

pub(super) async fn computes_for_ever() {
    let mut n = 1u64;
    while n != 0 {
        n = n.wrapping_mul(3); // spins
    }
}

pub(super) fn fills_memory() {
    let mut all = Vec::new();
    loop {
        all.push([0u8; 4096]); // grows
    }
}

pub(super) fn reserves_too_much() -> usize {
    Vec::<u8>::with_capacity(64 << 30).capacity() // reserves
}

pub(super) async fn panics_in_a_dropped_task() {
    tokio::spawn(async {
        panic!("no receipt") // lost panic
    });
    tokio::task::yield_now().await;
}

pub(super) async fn leaves_a_task() {
    tokio::spawn(std::future::pending::<()>());
}

pub(super) async fn leaves_a_short_task() {
    tokio::spawn(tokio::time::sleep(Duration::from_secs(20)));
}

pub(super) fn leaves_a_thread() {
    std::thread::spawn(|| {
        loop {
            std::thread::park(); // parked thread
        }
    });
}

pub(super) fn leaves_a_short_thread() {
    std::thread::spawn(|| std::hint::black_box((0..100_000).sum::<u64>()));
}

#[expect(
    clippy::disallowed_methods,
    clippy::zombie_processes,
    reason = "the fault"
)]
pub(super) fn leaves_a_child() {
    std::process::Command::new("sleep")
        .arg("1000")
        .spawn()
        .unwrap();
}

pub(super) async fn gives_up<F: Future>(work: F) {
    let _ = tokio::time::timeout(Duration::from_secs(2), work).await;
}
