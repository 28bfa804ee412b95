//! The check that runs now: its threads, its tasks, and what was asked of it. Decides nothing.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;

use tokio::runtime::RuntimeMetrics;
use tokio::task::Id;

use crate::hang::Kind;
use crate::record::Place;

/// What drives the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    /// Current-thread runtime: body and tasks on one thread.
    OneThread,
    /// Multi-thread runtime: the body on its own thread, tasks on workers.
    Workers,
    /// No runtime of the lab's.
    Plain,
}

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) driver: Driver,
    pub(crate) body_thread: Arc<DrivenThread>,
    /// Threads that were there before the check: those of the test harness.
    pub(crate) harness: Vec<u32>,
    pub(crate) polls: crate::tools::poll_log::Recorder,
    /// The runtime's, once it is built.
    pub(crate) metrics: OnceLock<RuntimeMetrics>,
    /// The watchdog asks the body to explain itself on its next poll; a `Kind`, or 0.
    asked: AtomicU8,
    /// The verdict is being written; nobody else may write one.
    pub(crate) explaining: AtomicBool,
    /// The body returned; what is left is counted.
    pub(crate) settling: AtomicBool,
    workers: Mutex<Vec<Arc<DrivenThread>>>,
    waker: Mutex<Option<Waker>>,
    spawned: Mutex<HashMap<Id, &'static Location<'static>>>,
}

/// A thread that a runtime of the lab drives.
#[derive(Debug)]
pub(crate) struct DrivenThread {
    /// The kernel's number; 0 where it is not known.
    pub(crate) id: u32,
    /// Waits for work, outside any task.
    pub(crate) parked: AtomicBool,
    pub(crate) parks: AtomicU64,
}

static ACTIVE: Mutex<Vec<Arc<Session>>> = Mutex::new(Vec::new());

thread_local! {
    static BODY: Cell<bool> = const { Cell::new(false) };
    static DRIVEN: RefCell<Option<Arc<DrivenThread>>> = const { RefCell::new(None) };
}

pub(crate) fn is_any_active() -> bool {
    !lock(&ACTIVE).is_empty()
}

/// A panic in the learner's code must not silence the lab.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DrivenThread {
    fn current() -> Arc<DrivenThread> {
        Arc::new(DrivenThread {
            id: crate::hang::thread_id(),
            parked: AtomicBool::new(false),
            parks: AtomicU64::new(0),
        })
    }

    pub(crate) fn set_parked(&self, parked: bool) {
        self.parked.store(parked, Relaxed);
        self.parks.fetch_add(u64::from(parked), Relaxed);
    }
}

impl Session {
    pub(crate) fn begin(driver: Driver, log_polls: bool) -> Arc<Session> {
        let body_thread = DrivenThread::current();
        let harness = crate::hang::thread_ids()
            .into_iter()
            .filter(|id| *id != body_thread.id)
            .collect();
        let session = Arc::new(Session {
            driver,
            body_thread: Arc::clone(&body_thread),
            harness,
            polls: crate::tools::poll_log::Recorder::new(log_polls),
            metrics: OnceLock::new(),
            asked: AtomicU8::new(0),
            explaining: AtomicBool::new(false),
            settling: AtomicBool::new(false),
            workers: Mutex::default(),
            waker: Mutex::default(),
            spawned: Mutex::default(),
        });
        BODY.set(true);
        DRIVEN.set(Some(body_thread));
        lock(&ACTIVE).push(Arc::clone(&session));
        session
    }

    pub(crate) fn end(self: &Arc<Session>) {
        BODY.set(false);
        DRIVEN.set(None);
        lock(&ACTIVE).retain(|active| !Arc::ptr_eq(active, self));
    }

    /// By the runtime's hooks, on the thread that parks or wakes. Its first park is what tells a worker from a
    /// thread of the blocking pool.
    pub(crate) fn set_parked(&self, parked: bool) {
        DRIVEN.with_borrow_mut(|driven| {
            let driven = driven.get_or_insert_with(|| {
                let worker = DrivenThread::current();
                lock(&self.workers).push(Arc::clone(&worker));
                worker
            });
            driven.set_parked(parked);
        });
    }

    /// Body thread first.
    pub(crate) fn driven_threads(&self) -> Vec<Arc<DrivenThread>> {
        let workers = lock(&self.workers);
        std::iter::once(&self.body_thread)
            .chain(workers.iter())
            .cloned()
            .collect()
    }

    pub(crate) fn keep_waker(&self, waker: &Waker) {
        let mut kept = lock(&self.waker);
        match &mut *kept {
            Some(kept) => kept.clone_from(waker),
            None => *kept = Some(waker.clone()),
        }
    }

    pub(crate) fn ask(&self, kind: Kind) {
        self.asked.store(kind as u8, Relaxed);
        if let Some(waker) = &*lock(&self.waker) {
            waker.wake_by_ref();
        }
    }

    pub(crate) fn asked_for(&self) -> Option<Kind> {
        let asked = self.asked.load(Relaxed);
        [Kind::Waiting, Kind::Blocked, Kind::Spinning]
            .into_iter()
            .find(|kind| *kind as u8 == asked)
    }

    /// 0 without a runtime of the lab's.
    pub(crate) fn alive_tasks(&self) -> usize {
        self.metrics
            .get()
            .map_or(0, RuntimeMetrics::num_alive_tasks)
    }

    /// True for the first who asks.
    pub(crate) fn claim_verdict(&self) -> bool {
        !self.explaining.swap(true, Relaxed)
    }

    #[cfg_attr(
        not(tokio_unstable),
        expect(dead_code, reason = "fed by a hook of unstable Tokio")
    )]
    pub(crate) fn task_spawned(&self, id: Id, at: &'static Location<'static>) {
        lock(&self.spawned).insert(id, at);
    }

    #[cfg_attr(
        not(tokio_unstable),
        expect(dead_code, reason = "fed by a hook of unstable Tokio")
    )]
    pub(crate) fn task_ended(&self, id: Id) {
        lock(&self.spawned).remove(&id);
    }

    pub(crate) fn spawn_place(&self, id: Id) -> Option<Place> {
        let location = *lock(&self.spawned).get(&id)?;
        Some(Place::of(location, "spawn"))
    }

    /// Of the tasks that are alive, the learner's first in order of their spawning line.
    pub(crate) fn spawn_places(&self) -> Vec<Place> {
        let locations: Vec<_> = lock(&self.spawned).values().copied().collect();
        let mut places: Vec<Place> = locations
            .iter()
            .map(|at| Place::of(at, "spawn"))
            .filter(Place::in_subject)
            .collect();
        places.sort_by_key(|place| (place.line, place.column));
        places.dedup();
        places
    }
}

pub(crate) fn is_body_thread() -> bool {
    BODY.get()
}

/// The one check that runs. `None` also where several run in one process: a hand-started, parallel test binary,
/// in which nobody can say whose thread is whose.
pub(crate) fn only_one() -> Option<Arc<Session>> {
    match &lock(&ACTIVE)[..] {
        [one] => Some(Arc::clone(one)),
        _ => None,
    }
}

pub(crate) fn spawn_place_of_current_task() -> Option<Place> {
    let id = tokio::task::try_id()?;
    let active = ACTIVE.try_lock().ok()?;
    active.iter().find_map(|session| session.spawn_place(id))
}
