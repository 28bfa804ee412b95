//! The chain of `.await`s of everything that waits. Best: Tokio's task dump. Anywhere: a waker that remembers who
//! cloned it, which finds the chains of the body only.

use std::future::Future;
use std::sync::Mutex;
use std::task::Context;

use super::Stuck;
use crate::Trail;
use crate::session::{Session, lock};

/// Ten thousand tasks that wait at one line are one line to the learner.
const MOST_TOLD: usize = 16;

pub(crate) fn rooted<F: Future>(body: F) -> impl Future<Output = F::Output> {
    #[cfg(all(tokio_unstable, target_os = "linux"))]
    let body = tokio::runtime::dump::Trace::root(body);
    body
}

/// Of the body and of every task. A task without a visible chain still tells where it was spawned.
pub(super) fn stuck_tasks(
    session: &Session,
    context: &mut Context<'_>,
    mut poll_body: impl FnMut(&mut Context<'_>) -> bool,
) -> Vec<Stuck> {
    let mut stuck = Vec::new();
    for trail in body_trails(context, &mut poll_body) {
        add(
            &mut stuck,
            Stuck {
                spawned: None,
                inner_first: trail.places(),
            },
        );
    }
    #[cfg(all(tokio_unstable, target_os = "linux"))]
    dump::tasks(session, &mut stuck);
    for place in session.spawn_places() {
        if !stuck
            .iter()
            .any(|known| known.spawned.as_ref() == Some(&place))
        {
            add(
                &mut stuck,
                Stuck {
                    spawned: Some(place),
                    inner_first: Vec::new(),
                },
            );
        }
    }
    stuck
}

fn add(stuck: &mut Vec<Stuck>, task: Stuck) {
    if stuck.len() < MOST_TOLD && !stuck.contains(&task) {
        stuck.push(task);
    }
}

fn body_trails(
    context: &mut Context<'_>,
    poll_body: &mut impl FnMut(&mut Context<'_>) -> bool,
) -> Vec<Trail> {
    #[cfg(all(tokio_unstable, target_os = "linux"))]
    {
        let trails = dump::leaves(|| poll_body(context));
        if trails.iter().any(|trail| !trail.places().is_empty()) {
            return trails;
        }
    }
    let _ = context;
    waker_trails(poll_body)
}

/// A leaf future that keeps a waker clones it, one that spins wakes it, with the whole chain on the stack.
fn waker_trails(poll_body: &mut impl FnMut(&mut Context<'_>) -> bool) -> Vec<Trail> {
    static CLONES: Mutex<Vec<Trail>> = Mutex::new(Vec::new());
    lock(&CLONES).clear();
    let waker = cloning::waker(|| lock(&CLONES).push(Trail::capture()));
    poll_body(&mut Context::from_waker(&waker));
    std::mem::take(&mut *lock(&CLONES))
}

mod cloning {
    use std::task::{RawWaker, RawWakerVTable, Waker};

    pub(super) fn waker(on_use: fn()) -> Waker {
        // SAFETY: the data is a plain function pointer: nothing to free, valid on every thread for ever; every
        // function of the table keeps the contract of a waker that wakes nobody.
        unsafe { Waker::from_raw(RawWaker::new(on_use as *const (), &TABLE)) }
    }

    static TABLE: RawWakerVTable = RawWakerVTable::new(
        |data| {
            remember(data);
            RawWaker::new(data, &TABLE)
        },
        remember,
        remember,
        |_| {},
    );

    fn remember(data: *const ()) {
        // SAFETY: `data` is the `fn()` that `waker` put there.
        let on_use: fn() = unsafe { std::mem::transmute(data) };
        on_use();
    }
}

#[cfg(all(tokio_unstable, target_os = "linux"))]
mod dump {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake, Waker};

    use tokio::runtime::Handle;
    use tokio::runtime::dump::{Dump, trace_with};

    use super::{Session, Stuck, Trail, add};
    use crate::trail;

    struct Unpark(std::thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// Every leaf future that `poll` reaches, each branch of a `join!` by itself.
    pub(super) fn leaves(poll: impl FnOnce() -> bool) -> Vec<Trail> {
        let mut trails = Vec::new();
        trace_with(poll, |_| trails.push(Trail::capture()));
        trails
    }

    pub(super) fn tasks(session: &Session, stuck: &mut Vec<Stuck>) {
        let handle = Handle::current();
        if handle.metrics().num_alive_tasks() == 0 {
            return;
        }
        for task in take(&handle).tasks().iter() {
            let spawned = session
                .spawn_place(task.id())
                .filter(crate::Place::in_subject);
            for trace in pointers(task.trace()) {
                let inner_first = trail::subject_places(&trail::resolve(&trace));
                if spawned.is_some() || !inner_first.is_empty() {
                    add(
                        stuck,
                        Stuck {
                            spawned: spawned.clone(),
                            inner_first,
                        },
                    );
                }
            }
        }
    }

    /// Workers answer on their own threads. One that never does is the watchdog's to deal with.
    fn take(handle: &Handle) -> Dump {
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        let mut dump = pin!(handle.dump());
        loop {
            match dump.as_mut().poll(&mut context) {
                Poll::Ready(dump) => return dump,
                Poll::Pending => std::thread::park(),
            }
        }
    }

    fn pointers(trace: &tokio::runtime::dump::Trace) -> Vec<Vec<usize>> {
        let traces = trace.resolve_backtraces();
        traces
            .iter()
            .map(|trace| trace.frames().map(|frame| frame.ip() as usize).collect())
            .collect()
    }
}
