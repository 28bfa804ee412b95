//! The thread that looks at the others about twenty times a second, and gives the verdict when nothing moves or
//! nothing ever yields.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::decide::{Suspicion, Watch};
use super::{Kind, Stuck, give_verdict, spin, system};
use crate::record::Place;
use crate::session::{self, Driver, Session};
use crate::tools::patience;
use crate::trail::{self, Frame};
use crate::{Trail, incident, leftovers};

const PACE: Duration = Duration::from_millis(50);

/// Samples without a stir that a body gets to explain itself, once asked: on a busy machine it starves, and a wait for
/// so many seconds would take its evidence away.
const ANSWER: u32 = 40;
/// Processor time that it gets. Resolving a debug build's symbols takes under one second.
const ANSWER_WORK: Duration = Duration::from_secs(10);

/// Stacks with a line of the learner's in them, and how often at most a spinning thread is asked for one.
const TELLING_STACKS: usize = 12;
const MOST_STACKS: usize = 400;

#[expect(
    clippy::disallowed_methods,
    reason = "the watchdog looks at its own pace"
)]
pub(super) fn run() {
    crate::memory::uncapped(|| {
        let mut watched: Option<(Arc<Session>, Watchdog)> = None;
        loop {
            std::thread::sleep(PACE);
            let Some(session) = session::only_one() else {
                watched = None;
                continue;
            };
            match &mut watched {
                Some((known, watchdog)) if Arc::ptr_eq(known, &session) => watchdog.look(&session),
                _ => watched = Some((session, Watchdog::default())),
            }
        }
    });
}

#[derive(Default)]
struct Watchdog {
    watch: Watch,
    /// Samples without a stir since somebody began to explain.
    unanswered: u32,
    /// Processor time of all threads when that began.
    began: Option<Duration>,
    children: system::Children,
    /// Taken by every patience when somebody last seemed to doze.
    looks: u64,
}

impl Watchdog {
    fn look(&mut self, session: &Arc<Session>) {
        if session.explaining.load(Relaxed) {
            self.wait_for_the_answer(session);
            return;
        }
        let driven = session.driven_threads();
        let suspicion = self.watch.step(&system::sample(&driven));
        match suspicion {
            None => {}
            Some(_) if system::somebody_prints() || self.children.work() => self.watch.calm(),
            Some(Suspicion::Dozing) if incident::runs() || self.somebody_is_patient() => {
                self.watch.calm();
            }
            Some(Suspicion::AllAsleep | Suspicion::Dozing) => asleep(session),
            Some(Suspicion::Spinning(thread)) => spinning(session, thread),
        }
    }

    fn somebody_is_patient(&mut self) -> bool {
        let taken = patience::looks_taken();
        std::mem::replace(&mut self.looks, taken) != taken
    }

    fn wait_for_the_answer(&mut self, session: &Session) {
        let threads = system::sample(&session.driven_threads());
        let spent: Duration = threads.iter().map(|thread| thread.cpu).sum();
        let work = spent.saturating_sub(*self.began.get_or_insert(spent));
        self.unanswered += u32::from(threads.iter().all(|thread| thread.asleep));
        if self.unanswered > ANSWER || work > ANSWER_WORK {
            let stuck: Vec<Stuck> = session
                .spawn_places()
                .into_iter()
                .map(|place| Stuck {
                    spawned: Some(place),
                    inner_first: Vec::new(),
                })
                .collect();
            let last = trail::last().and_then(|trail| trail.place());
            give_verdict(asked_kind(session), &stuck, last.as_slice());
        }
    }
}

fn asked_kind(session: &Session) -> Kind {
    session.asked_for().unwrap_or(Kind::Waiting)
}

/// Every thread sleeps. One that sleeps outside its runtime's parking is blocked; else everything waits.
fn asleep(session: &Arc<Session>) {
    if !session.claim_verdict() {
        return;
    }
    if session.settling.load(Relaxed) {
        leftovers::report_what_never_ends(session);
    }
    if let Some(place) = blocked_in_a_poll(session) {
        give_verdict(Kind::Blocked, &[], &place);
    }
    if let Some(place) = blocked_elsewhere(session) {
        give_verdict(Kind::Blocked, &[], &place);
    }
    session.ask(Kind::Waiting);
}

/// A thread that a runtime drives, or the body's without one. `Some` but empty: our own code or the check's blocks.
fn blocked_in_a_poll(session: &Session) -> Option<Vec<Place>> {
    let mut blocked = false;
    for thread in session.driven_threads() {
        if !thread.parked.load(Relaxed) {
            blocked = true;
            let places = stack(thread.id)
                .map(|stack| trail::subject_places(&stack))
                .unwrap_or_default();
            if !places.is_empty() {
                return Some(places);
            }
        }
    }
    if !blocked {
        return None;
    }
    let elsewhere = blocked_elsewhere(session);
    Some(elsewhere.unwrap_or_else(|| {
        trail::last()
            .map(|trail| trail.places())
            .unwrap_or_default()
    }))
}

/// A thread of the blocking pool, or one that the subject started, asleep in the learner's code.
fn blocked_elsewhere(session: &Session) -> Option<Vec<Place>> {
    let driven: Vec<u32> = session
        .driven_threads()
        .iter()
        .map(|thread| thread.id)
        .collect();
    other_threads(session)
        .into_iter()
        .filter(|id| !driven.contains(id))
        .filter_map(|id| Some(trail::subject_places(&stack(id)?)))
        .find(|places| !places.is_empty())
}

/// Neither the harness's, nor this one.
pub(crate) fn other_threads(session: &Session) -> Vec<u32> {
    let own = system::thread_id();
    system::thread_ids()
        .into_iter()
        .filter(|id| *id != own && !session.harness.contains(id))
        .collect()
}

pub(crate) fn stack(thread: u32) -> Option<Vec<Frame>> {
    Some(trail::resolve(&system::pointers_of(thread)?))
}

/// Runs for ever. If no sample shows a line of the learner's (a storm of yields is mostly Tokio's code), a body
/// that is still polled can tell.
#[expect(clippy::disallowed_methods, reason = "samples of a spin must be apart")]
fn spinning(session: &Arc<Session>, thread: u32) {
    if !session.claim_verdict() {
        return;
    }
    let stacks: Vec<Vec<Frame>> = (0..MOST_STACKS)
        .filter_map(|_| {
            std::thread::sleep(Duration::from_millis(1));
            stack(thread).filter(|stack| !trail::subject_places(stack).is_empty())
        })
        .take(TELLING_STACKS)
        .collect();
    if let Some(place) = spin::loop_place(&stacks) {
        let line = place.line;
        let callers = stacks.iter().map(|stack| trail::subject_places(stack));
        let callers = callers
            .into_iter()
            .find(|places| places.iter().any(|seen| seen.line == line));
        let callers = callers
            .into_iter()
            .flatten()
            .skip_while(|seen| seen.line != line)
            .skip(1);
        let places: Vec<Place> = std::iter::once(place).chain(callers).collect();
        give_verdict(Kind::Spinning, &[], &places);
    }
    if session.driver == Driver::Plain {
        give_verdict(
            Kind::Spinning,
            &[],
            trail::last().as_ref().and_then(Trail::place).as_slice(),
        );
    }
    session.ask(Kind::Spinning);
}
