//! Polling by hand, with a waker that counts.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

/// Counts how often it is woken. Decides "the latest waker is woken" and "nobody is woken for nothing".
/// Determinism: D0.
#[derive(Debug, Clone, Default)]
pub struct CountingWaker {
    count: Arc<Count>,
}

#[derive(Debug, Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

impl CountingWaker {
    #[must_use]
    pub fn new() -> CountingWaker {
        CountingWaker::default()
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.count.0.load(SeqCst)
    }

    #[must_use]
    pub fn waker(&self) -> Waker {
        Waker::from(Arc::clone(&self.count))
    }

    /// Clones of the waker that somebody keeps. A dropped future must keep none.
    #[must_use]
    pub fn kept(&self) -> usize {
        Arc::strong_count(&self.count) - 1
    }
}

/// Polls once. The future must be pinned: `let mut f = pin!(f); poll_once(f.as_mut(), &waker)`. Determinism: D0.
pub fn poll_once<F: Future + ?Sized>(
    future: Pin<&mut F>,
    waker: &CountingWaker,
) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(&waker.waker()))
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;

    #[test]
    fn a_wake_is_counted_and_a_kept_waker_is_seen() {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let (mut receiver, waker) = (pin!(receiver), CountingWaker::new());
        assert!(poll_once(receiver.as_mut(), &waker).is_pending());
        assert_eq!((waker.count(), waker.kept()), (0, 1));
        sender.send(7).unwrap();
        assert_eq!(waker.count(), 1);
        assert_eq!(poll_once(receiver.as_mut(), &waker), Poll::Ready(Ok(7)));
    }
}
