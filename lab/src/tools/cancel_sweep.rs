//! Cancellation at every await, one after the other.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Where a call was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Polls before the drop.
    pub polls: usize,
    /// It ended before it could be cut; the sweep stops after this one.
    pub completed: bool,
}

/// More awaits than any call of an exercise has.
const MOST_POLLS: usize = 10_000;

/// For k = 0, 1, ...: makes a fresh object, polls `call` k times (each when it is woken), drops it, and lets `after`
/// check the invariant and use the object again. Ends when the call completes before its cut. Returns how many cuts
/// hit it half-way, so that a check can insist on more than none.
///
/// `fresh` gives something that clones to the same object: an `Arc`. Run it in `paused`. Determinism: D0.
pub async fn cancel_sweep<S, C, A>(
    mut fresh: impl FnMut() -> S,
    mut call: impl FnMut(S) -> C,
    mut after: impl FnMut(S, Cut) -> A,
) -> usize
where
    S: Clone,
    C: Future,
    A: Future<Output = ()>,
{
    for polls in 0..MOST_POLLS {
        let object = fresh();
        let completed = cut_after(Box::pin(call(object.clone())), polls).await;
        after(object, Cut { polls, completed }).await;
        if completed {
            return polls.saturating_sub(1);
        }
    }
    crate::fail(format!("the call did not end within {MOST_POLLS} polls")).raise()
}

async fn cut_after<C: Future>(mut call: Pin<Box<C>>, polls: usize) -> bool {
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        match call.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Mutex;
    use tokio::task::yield_now;

    use super::*;

    /// The cuts after which the state is gone.
    fn lost(call: impl AsyncFn(Arc<Mutex<Option<u8>>>) + Copy) -> Vec<usize> {
        let lost = std::sync::Mutex::new(Vec::new());
        crate::paused(|| async {
            cancel_sweep(
                || Arc::new(Mutex::new(Some(7))),
                |state| async move { call(state).await },
                |state, cut| {
                    let lost = &lost;
                    async move {
                        if state.lock().await.is_none() {
                            lost.lock().unwrap().push(cut.polls);
                        }
                    }
                },
            )
            .await;
        });
        lost.into_inner().unwrap()
    }

    #[test]
    fn take_then_await_then_put_loses_the_state_and_commit_at_the_end_does_not() {
        let take_put = async |state: Arc<Mutex<Option<u8>>>| {
            let mut slot = state.lock().await;
            let value = slot.take();
            yield_now().await;
            yield_now().await;
            *slot = value;
        };
        let commit = async |state: Arc<Mutex<Option<u8>>>| {
            let value = *state.lock().await;
            yield_now().await;
            *state.lock().await = value;
        };
        assert_eq!(lost(take_put), [1, 2]);
        assert_eq!(lost(commit), [0; 0]);
    }
}
