//! How a check's process ends before its time. The record decides; the status only tells it from a crash.

use std::io::Write;

pub(crate) const FAILED: i32 = 101;
pub(crate) const HUNG: i32 = 102;
pub(crate) const OVER_MEMORY: i32 = 103;
pub(crate) const LEFT_RUNNING: i32 = 104;
pub(crate) const ORPHANED: i32 = 105;

/// At once: no destructors, no waiting for threads that may be stuck.
pub(crate) fn end(status: i32) -> ! {
    // A thread that is stuck while it prints holds the lock: what is unflushed is then lost, not the verdict.
    let _ = std::thread::Builder::new()
        .spawn(|| {
            let _ = std::io::stdout().flush();
        })
        .map(|flusher| wait_briefly(&flusher));
    end_now(status)
}

#[expect(clippy::disallowed_methods, reason = "bounded, while the process ends")]
fn wait_briefly(flusher: &std::thread::JoinHandle<()>) {
    for _ in 0..200 {
        if flusher.is_finished() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Writes the last record when the process ends in the plain way and no body is in the middle of something: that nothing
/// was to come after the records that there are. Before `main`, so that it comes after whatever else is done at the end.
#[cfg(unix)]
pub(crate) fn watch() {
    extern "C" fn at_end() {
        if crate::startup::under_the_runner() && !crate::session::is_any_active() {
            crate::record::write(&serde_json::json!({"record": "ended"}));
        }
    }
    // SAFETY: a function without arguments that does not unwind: what it calls does not panic.
    unsafe { libc::atexit(at_end) };
}

pub(crate) fn end_now(status: i32) -> ! {
    crate::incident::tell();
    #[cfg(unix)]
    // SAFETY: `_exit` takes an integer and never returns; skipping destructors is what is wanted.
    unsafe {
        libc::_exit(status)
    }
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "there is no `_exit`")]
    std::process::exit(status)
}
