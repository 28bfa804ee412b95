//! `Vendor` plays the SDK: a call waits at a gate, answers at once or crashes, as the card says. What must
//! happen at the limit is looked at on the paused clock, moved by hand: it stands still while a blocking
//! job runs, and would run ahead of a plain thread. What must happen before the limit needs the real one.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::select_all;
use tokio::task::{JoinError, JoinHandle, yield_now};
use tokio::time::{advance, timeout};

use crate::exercise::{FraudSdk, TimedOut, verify_within};

/// Enough for every task to run as far as it can.
const TURNS: usize = 30;

#[test]
fn a_slow_vendor_is_cut_off_at_the_limit() {
    on_paused_clock(|| async {
        let vendor = Vendor::slow(lab::random().coin());
        let (limit, polls) = (random_limit(), Arc::new(AtomicUsize::new(0)));
        let request = vendor.ask_counted(&polls, limit);

        let last = Duration::from_millis(1);
        for _ in 0..7 {
            pass(limit / 8).await;
        }
        pass(limit / 8 - last).await;
        if request.is_finished() {
            vendor.called().await;
            let outcome = outcome_of(request).await;
            lab::fail(format!(
                "the vendor has {limit:?} to answer, and after less than that the customer is told \
                 {outcome:?}"
            ))
            .expected("no outcome yet")
            .seen(format!("{outcome:?}"))
            .raise();
        }
        pass(last).await;
        if !request.is_finished() {
            vendor.called().await;
            lab::fail(format!(
                "the vendor has not answered, the limit of {limit:?} is over, and the customer still waits"
            ))
            .expected(format!("Err(TimedOut) after {limit:?}"))
            .seen(format!("no outcome after {limit:?}"))
            .raise();
        }
        lab::expect_eq(
            outcome_of(request).await,
            Err(TimedOut),
            "what the customer is told at the limit, the vendor being silent",
        );
        let polls = polls.load(SeqCst);
        if polls > TURNS {
            vendor.called().await;
            lab::fail(format!(
                "while the vendor thought, the request looked {polls} times whether the answer was there: \
                 a core is busy with waiting"
            ))
            .raise();
        }
        vendor.gate.open();
    });
}

#[test]
fn an_answer_within_the_limit_counts() {
    on_real_clock(|| async {
        for _ in 0..4 {
            let answer = lab::random().coin();
            let (vendor, limit) = (Vendor::slow(answer), random_limit());
            let request = vendor.ask(limit);
            vendor.gate.entered().await;
            turns().await;
            vendor.gate.open();
            match soon(request).await {
                Some(outcome) => lab::expect_eq(
                    outcome,
                    Ok(answer),
                    format!("what the customer is told when the vendor says {answer} in time"),
                ),
                None => lab::fail(format!(
                    "the vendor has answered, long before the limit of {limit:?}, and the customer \
                     still waits"
                ))
                .expected(format!("Ok({answer}) at once"))
                .raise(),
            }
            lab::expect_eq(vendor.calls(), 1, "calls to the vendor for one request");
        }
    });
}

#[test]
fn a_slow_check_holds_up_nobody_else() {
    on_real_clock(|| async {
        let slow: Vec<_> = (0..4).map(|_| Vendor::slow(true)).collect();
        let held_up: Vec<_> = slow.iter().map(|slow| slow.ask(random_limit())).collect();
        // Whichever comes first: behind one lock for all there is no second.
        let called = slow.iter().map(|slow| Box::pin(slow.gate.entered()));
        let (_, first, _) = select_all(called).await;
        let first = &slow[first];

        let answer = first.line.known.1;
        match soon(first.ask_about_the_known(random_limit())).await {
            Some(outcome) => lab::expect_eq(
                outcome,
                Ok(answer),
                "what a customer is told whose card the vendor knows at once",
            ),
            None => lab::fail(
                "the vendor thinks about a few cards, and the customer with another card, which he \
                 knows at once, waits for them",
            )
            .expected(format!("Ok({answer}) at once"))
            .seen("no outcome while the other checks run")
            .raise(),
        }
        for (slow, held_up) in slow.iter().zip(held_up) {
            slow.gate.open();
            held_up.abort();
        }
    });
}

#[test]
fn the_vendor_is_asked_once() {
    on_paused_clock(|| async {
        let vendor = Vendor::slow(true);
        let limit = random_limit();
        let request = vendor.ask(limit);
        for _ in 0..8 {
            pass(limit / 8).await;
        }
        pass(Duration::from_millis(1)).await;
        vendor.gate.open();
        drop(request);
        vendor.let_go_by_everybody().await;
        // None at all is fine too: a call that still waits for a thread may be taken back.
        let calls = vendor.calls();
        if calls > 1 {
            lab::fail(format!(
                "one request that timed out made {calls} calls to the vendor, who charges for each"
            ))
            .expected("1 call")
            .seen(format!("{calls} calls"))
            .raise();
        }
    });
}

#[test]
fn a_vendor_that_crashes_passes_no_card() {
    on_paused_clock(|| async {
        let vendor = Vendor::crashing();
        let request = vendor.ask(random_limit());
        // A panic, a no and a timeout are all fine: the card must not pass.
        if let Ok(Ok(true)) = request.await {
            lab::fail("the vendor's library crashed, and the card passed as if he had said yes")
                .expected("anything but Ok(true)")
                .seen("Ok(true)")
                .raise();
        }
        vendor.let_go_by_everybody().await;
        let calls = vendor.calls();
        if calls > 1 {
            lab::fail(format!(
                "the vendor's library crashed, and for this one request it was called {calls} times: the \
                 vendor charges for each"
            ))
            .expected("1 call")
            .seen(format!("{calls} calls"))
            .raise();
        }
    });
}

enum Manner {
    /// Answers when the gate is open.
    Slow(bool),
    Crashing,
}

struct Vendor {
    gate: lab::Gate,
    line: Arc<Line>,
    /// Alive as long as somebody could still call.
    clones: std::sync::Weak<Line>,
}

struct Line {
    manner: Manner,
    gate: lab::Gate,
    calls: Mutex<HashMap<String, usize>>,
    token: String,
    /// A card that he knows at once, and his answer.
    known: (String, bool),
}

impl FraudSdk for Line {
    fn verify(&self, token: &str) -> bool {
        let trail = lab::Trail::here();
        if token == self.known.0 {
            return self.known.1;
        }
        *self
            .calls
            .lock()
            .unwrap()
            .entry(token.to_owned())
            .or_default() += 1;
        if token != self.token {
            lab::fail("the vendor was asked about another card than the customer's")
                .expected(&self.token)
                .seen(token)
                .at(trail)
                .raise();
        }
        match self.manner {
            Manner::Slow(answer) => {
                self.gate.wait();
                answer
            }
            Manner::Crashing => panic!("the vendor's library: connection reset"),
        }
    }
}

impl Vendor {
    fn slow(answer: bool) -> Vendor {
        Vendor::with(Manner::Slow(answer))
    }

    fn crashing() -> Vendor {
        Vendor::with(Manner::Crashing)
    }

    fn with(manner: Manner) -> Vendor {
        let gate = lab::Gate::new();
        let line = Arc::new(Line {
            manner,
            gate: gate.clone(),
            calls: Mutex::default(),
            token: format!("card-{}", lab::random().range(1_000..1_000_000)),
            known: (
                format!("card-{}", lab::random().range(1_000_000..2_000_000)),
                lab::random().coin(),
            ),
        });
        let clones = Arc::downgrade(&line);
        Vendor { gate, line, clones }
    }

    fn ask(&self, limit: Duration) -> JoinHandle<Result<bool, TimedOut>> {
        self.ask_counted(&Arc::default(), limit)
    }

    fn ask_about_the_known(&self, limit: Duration) -> JoinHandle<Result<bool, TimedOut>> {
        let (token, sdk) = (self.line.known.0.clone(), self.line.clone());
        tokio::spawn(verify_within(token, sdk, limit))
    }

    fn ask_counted(
        &self,
        polls: &Arc<AtomicUsize>,
        limit: Duration,
    ) -> JoinHandle<Result<bool, TimedOut>> {
        let polls = polls.clone();
        let (token, sdk) = (self.line.token.clone(), self.line.clone());
        let mut request = Box::pin(verify_within(token, sdk, limit));
        tokio::spawn(std::future::poll_fn(move |context| {
            polls.fetch_add(1, SeqCst);
            request.as_mut().poll(context)
        }))
    }

    fn calls(&self) -> usize {
        self.line.calls.lock().unwrap().values().sum()
    }

    /// Until somebody called, so that a failure can name the line; but not for ever.
    async fn called(&self) {
        for _ in 0..5_000 {
            if self.calls() > 0 {
                return;
            }
            yield_now().await;
            std::thread::yield_now();
        }
    }

    /// Until nobody but the check could still call. Never idle: the clock must not jump.
    async fn let_go_by_everybody(&self) {
        while self.clones.strong_count() > 1 {
            yield_now().await;
            std::thread::yield_now();
        }
    }
}

/// Whole milliseconds, as Tokio's timers have them, and longer than any verdict takes.
fn random_limit() -> Duration {
    Duration::from_millis(8 * lab::random().range(3_750..11_250))
}

/// Moves the paused clock, and lets everybody see it.
async fn pass(time: Duration) {
    turns().await;
    advance(time).await;
    turns().await;
}

async fn turns() {
    for _ in 0..TURNS {
        yield_now().await;
    }
}

async fn outcome_of<T>(request: JoinHandle<T>) -> T {
    unless_it_panicked(request.await)
}

fn unless_it_panicked<T>(outcome: Result<T, JoinError>) -> T {
    outcome.unwrap_or_else(|end| {
        lab::fail(format!(
            "the customer's request ended in an error of ours: {end}"
        ))
        .raise()
    })
}

/// The outcome, or `None` when nothing moves any more and it is not there.
async fn soon<T>(mut request: JoinHandle<T>) -> Option<T> {
    let mut patience = lab::Patience::new();
    loop {
        match timeout(lab::Patience::LOOK, &mut request).await {
            Ok(outcome) => return Some(unless_it_panicked(outcome)),
            Err(_) if patience.is_over() => return None,
            Err(_) => {}
        }
    }
}

/// A call that nobody waits for any more goes on, and a pool of threads of one's own is as good as Tokio's.
fn on_paused_clock<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::paused().may_leave_running().run(body);
}

fn on_real_clock<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::real_time().may_leave_running().run(body);
}
