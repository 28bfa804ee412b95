//! For faults that block the thread itself.

use std::sync::Mutex;
use std::sync::mpsc;

use super::RESCUE;
use crate::session::lock;

static OURS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Runs `f` on another thread and waits for it, with the rescue time as bound: `None` if it does not come back or
/// panics. The thread is then left behind; the check fails anyway. Blocks the caller. Determinism: D1.
pub fn side_thread<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("lab-side".to_owned())
        .spawn(move || {
            let id = crate::hang::thread_id();
            lock(&OURS).push(id);
            let _ = done.send(f());
            lock(&OURS).retain(|ours| *ours != id);
        });
    thread.ok()?;
    result.recv_timeout(RESCUE).ok()
}

pub(crate) fn is_ours(thread: u32) -> bool {
    lock(&OURS).contains(&thread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_comes_back_and_a_panic_does_not() {
        assert_eq!(side_thread(|| 7), Some(7));
        assert_eq!(
            side_thread(|| std::panic::resume_unwind(Box::new("gone"))),
            None::<()>
        );
    }
}
