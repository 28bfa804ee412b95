//! The stack of another thread: a real-time signal, whose handler only stores instruction pointers.

use std::sync::Mutex;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

use crate::session::lock;
use crate::trail::DEEPEST;

/// Real-time signals are nobody's; the one before is the parent's death.
const SHOW_YOUR_STACK: i32 = 4;

/// A thread that does not run for so long is asked in vain.
const PATIENCE: Duration = Duration::from_secs(2);

static POINTERS: [AtomicUsize; DEEPEST] = [const { AtomicUsize::new(0) }; DEEPEST];
/// How many there are, plus one: 0 means not yet.
static ANSWERED: AtomicUsize = AtomicUsize::new(0);
/// The thread that is asked; others that get a late signal keep quiet.
static ASKED: AtomicU32 = AtomicU32::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn signal() -> i32 {
    libc::SIGRTMIN() + SHOW_YOUR_STACK
}

pub(crate) fn prepare() {
    // The first unwinding of a process loads and allocates; a handler must do neither.
    backtrace::trace(|_| true);
    // SAFETY: an all-zero `sigaction` is valid; the handler has the one-argument type that no SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = show as *const () as usize;
        // Interrupted calls go on by themselves: the learner's code must not see an EINTR of ours.
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal(), &action, std::ptr::null_mut());
    }
}

extern "C" fn show(_: i32) {
    // SAFETY: `__errno_location` gives this thread's errno; it is put back, so that the interrupted code sees none
    // of this. Unwinding neither allocates nor locks once `prepare` has warmed it up. `trace_unsynchronized` may
    // race with another `trace`: with libgcc's unwinder both only read.
    unsafe {
        if super::thread_id() != ASKED.load(Acquire) {
            return;
        }
        let errno = *libc::__errno_location();
        let mut depth = 0;
        backtrace::trace_unsynchronized(|frame| {
            POINTERS[depth].store(frame.ip() as usize, Relaxed);
            depth += 1;
            depth < DEEPEST
        });
        ANSWERED.store(depth + 1, Release);
        *libc::__errno_location() = errno;
    }
}

/// Innermost first. `None`: it ended, or does not answer.
pub(crate) fn pointers_of(thread: u32) -> Option<Vec<usize>> {
    let _one = lock(&ONE_AT_A_TIME);
    ANSWERED.store(0, Relaxed);
    ASKED.store(thread, Release);
    // SAFETY: a system call with integers. A thread that has ended makes it fail: the number is of this process.
    let sent = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, signal()) };
    let answer = if sent == 0 { wait() } else { None };
    ASKED.store(0, Release);
    answer
}

#[expect(
    clippy::disallowed_methods,
    reason = "a signal handler can wake nobody"
)]
fn wait() -> Option<Vec<usize>> {
    let began = Instant::now();
    loop {
        match ANSWERED.load(Acquire) {
            0 if began.elapsed() > PATIENCE => return None,
            // A signal handler can wake nobody; the answer takes microseconds.
            0 => std::thread::sleep(Duration::from_micros(200)),
            depth => {
                return Some(
                    POINTERS[..depth - 1]
                        .iter()
                        .map(|pointer| pointer.load(Relaxed))
                        .collect(),
                );
            }
        }
    }
}
