//! Linux: the runner's death ends the whole group; limits of the operating system stand behind the allocator's.

use super::Settings;

/// Beside the heap cap: thread stacks, the loader's and the debug information reader's own memory. Bytes.
const BESIDE_THE_HEAP: u64 = 2 << 30;

/// Real-time signals are nobody's; the first few belong to the C library.
const PARENT_DIED: i32 = 3;

pub(super) fn limit(settings: &Settings) {
    if settings.record.is_none() && settings.parent.is_none() {
        return;
    }
    set_limit(libc::RLIMIT_CORE, 0);
    set_limit(
        libc::RLIMIT_DATA,
        settings.memory.saturating_add(BESIDE_THE_HEAP),
    );
    // SAFETY: plain system call with integer arguments. Orphaned grandchildren become ours, so that they are seen.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    if let Some(parent) = settings.parent {
        die_with(parent);
    }
}

fn set_limit(resource: libc::__rlimit_resource_t, bytes: u64) {
    let limit = libc::rlimit {
        rlim_cur: bytes,
        rlim_max: bytes,
    };
    // SAFETY: the pointer is to a live local; a refusal leaves the old limit, which is no worse than before.
    unsafe { libc::setrlimit(resource, &limit) };
}

fn die_with(parent: u32) {
    let signal = libc::SIGRTMIN() + PARENT_DIED;
    // SAFETY: an all-zero `sigaction` is valid (empty mask, no flags); the handler only makes async-signal-safe
    // calls; `prctl` and `getppid` take and give integers.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end_group as *const () as usize;
        libc::sigaction(signal, &action, std::ptr::null_mut());
        libc::prctl(libc::PR_SET_PDEATHSIG, signal, 0, 0, 0);
        // The parent may have died before the request was in place: then no signal will ever come.
        if u32::try_from(libc::getppid()) != Ok(parent) {
            end_group(0);
        }
    }
}

/// The group, not this process: grandchildren that ignore SIGTERM would live on.
extern "C" fn end_group(_: i32) {
    // SAFETY: `getpgrp`, `getpid`, `kill` and `_exit` are async-signal-safe.
    unsafe {
        // In a group that is not ours there are strangers: a shell, a test runner.
        if libc::getpgrp() == libc::getpid() {
            libc::kill(0, libc::SIGKILL);
        }
        libc::_exit(crate::ending::ORPHANED);
    }
}
