//! The book's listings: code that its pages show and the compiler proves. Some show a fault, so clippy's advice on
//! them is not wanted; what must not compile lies in `ui/`.
//!
//! One line a file; a test says which one is forgotten.
#![allow(clippy::all, dead_code, unused)]
#![allow(clippy::await_holding_lock, clippy::disallowed_methods)]

#[path = "02_blocking/blocking_pool_cap.rs"]
mod blocking_pool_cap;
#[path = "01_runtime/blocking_sdk.rs"]
mod blocking_sdk;
#[path = "07_channels/busy_503.rs"]
mod busy_503;
#[path = "02_blocking/busy_loop.rs"]
mod busy_loop;
#[path = "03_send/guard_across_await.rs"]
mod guard_across_await;
#[path = "01_runtime/lazy_future.rs"]
mod lazy_future;
#[path = "08_cancellation/lock_release_lost.rs"]
mod lock_release_lost;
#[path = "05_tasks/lost_panic.rs"]
mod lost_panic;
#[path = "01_runtime/nested_block_on.rs"]
mod nested_block_on;
#[path = "07_channels/never_closed.rs"]
mod never_closed;
#[path = "02_blocking/offload_race.rs"]
mod offload_race;
#[path = "05_tasks/panic_hook_late.rs"]
mod panic_hook_late;
#[path = "10_tracing/poll_meter.rs"]
mod poll_meter;
#[path = "08_cancellation/read_exact_select.rs"]
mod read_exact_select;
#[path = "05_tasks/receipts_vanish.rs"]
mod receipts_vanish;
#[path = "04_locks/self_deadlock.rs"]
mod self_deadlock;
#[path = "06_fanout/sequential_awaits.rs"]
mod sequential_awaits;
#[path = "04_locks/shared_conn.rs"]
mod shared_conn;
#[path = "10_tracing/span_guard.rs"]
mod span_guard;
#[path = "02_blocking/starved_health.rs"]
mod starved_health;
#[path = "06_fanout/swallowed_errors.rs"]
mod swallowed_errors;
#[path = "06_fanout/thread_per_request.rs"]
mod thread_per_request;
#[path = "02_blocking/timeout_cannot_fire.rs"]
mod timeout_cannot_fire;
#[path = "07_channels/unbounded_oom.rs"]
mod unbounded_oom;
#[path = "08_cancellation/write_all_cancelled.rs"]
mod write_all_cancelled;
