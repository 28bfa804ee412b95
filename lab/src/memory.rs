//! The counting allocator: live and peak bytes of the whole process, and the cap. Decides `over_memory`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

use serde_json::json;

use crate::record::Place;
use crate::{Trail, ending, record, trail};

pub(crate) mod heap;

static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
static CAP: AtomicI64 = AtomicI64::new(i64::MAX);
static OVER: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The lab's own work on this thread is neither refused nor counted: what it caches to name lines would look
    /// like the learner's. The few bytes that change hands do not matter.
    static UNCAPPED: Cell<bool> = const { Cell::new(false) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call goes to `System` with the caller's own arguments; the counters never touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promise about `layout` is passed on.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as above. Zeroing is left to the system: fresh pages cost nothing until they are touched.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: `block` came from `System` through this allocator, with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let more = size.saturating_sub(layout.size());
        grow(more);
        // SAFETY: as in `dealloc`; the caller promises that `size` is valid.
        let moved = given(unsafe { System.realloc(block, layout, size) }, more);
        if !moved.is_null() {
            shrink(layout.size().saturating_sub(size));
        }
        moved
    }
}

fn grow(bytes: usize) {
    if UNCAPPED.get() {
        return;
    }
    let bytes = signed(bytes);
    let live = LIVE.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if live > CAP.load(Relaxed) {
        over(live);
    }
    if live > PEAK.load(Relaxed) {
        PEAK.fetch_max(live, Relaxed);
    }
    heap::saw(live);
}

/// What the system refused is not live.
fn given(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        shrink(bytes);
    }
    block
}

fn shrink(bytes: usize) {
    if !UNCAPPED.get() {
        LIVE.fetch_sub(signed(bytes), Relaxed);
    }
}

/// Saturating, with room to add: a request for half the address space must cross the cap, not wrap.
fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX).min(i64::MAX / 4)
}

#[cold]
fn over(live: i64) {
    uncapped(|| {
        if OVER.swap(true, Relaxed) {
            // Another thread is already writing the record and will end the process.
            loop {
                std::thread::park();
            }
        }
        record::write(&json!({
            "record": "over_memory", "peak": live, "limit": CAP.load(Relaxed),
            "at": record::places(&allocating_places()),
        }));
        ending::end_now(ending::OVER_MEMORY)
    })
}

/// Where no frame of the learner's is on this stack (a fake allocates), the last call that a fake saw.
fn allocating_places() -> Vec<Place> {
    let here = Trail::capture().places();
    if here.is_empty() {
        trail::last()
            .map(|trail| trail.places())
            .unwrap_or_default()
    } else {
        here
    }
}

pub(crate) fn set_cap(bytes: u64) {
    CAP.store(i64::try_from(bytes).unwrap_or(i64::MAX), Relaxed);
}

/// Bytes, of the whole process.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// The lab's own work is never what crosses the cap.
pub(crate) fn uncapped<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            UNCAPPED.set(self.0);
        }
    }
    let _restore = Restore(UNCAPPED.replace(true));
    work()
}
