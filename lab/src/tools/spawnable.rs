//! Compile-time claims. Nothing runs.

use std::future::Future;

/// Compiles only if `T` can be sent to another thread: `assert_send(&handle(cache, key, origin))`. Determinism: D0.
pub fn assert_send<T: Send + ?Sized>(_: &T) {}

/// Compiles only if `&T` can be.
pub fn assert_sync<T: Sync + ?Sized>(_: &T) {}

/// Gives the future back; compiles only if `tokio::spawn` would take it.
pub fn spawnable<F>(future: F) -> F
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    future
}
