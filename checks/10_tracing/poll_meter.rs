//! Calls are played after a script and polled by hand: how long each poll holds the worker, and how long the call waits
//! after it. The clock is a fake that only the script moves, so that every figure is exact.

use std::future::poll_fn;
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::exercise::{Clock, Sample, Sink, metered, quantile};

#[test]
fn waiting_is_not_busy() {
    lab::paused(|| async {
        let script = Script::random(&[10..60, 10..60, 10..60], &[600..900, 700..2_000]);
        // Also where many short polls are busy together.
        for script in [script.clone(), script.a_million_times_as_fast()] {
            let shop = Shop::open();
            let expected = script.sample("database", true);
            shop.run_to_its_end("database", script);
            let sample = shop.only_sample();
            let figures = |sample: &Sample| {
                format!(
                    "{}: busy {:?}, wall {:?}",
                    sample.cat, sample.busy, sample.wall
                )
            };
            if figures(&sample) != figures(&expected) {
                let mut failure = lab::fail(format!(
                    "a call held the worker for {:?}, waited between, and took {:?} from its first poll on; the \
                     dashboard shows something else",
                    expected.busy, expected.wall
                ))
                .expected(figures(&expected))
                .seen(figures(&sample));
                if sample.busy != expected.busy {
                    failure = failure.at(shop.polled_at());
                }
                failure.raise();
            }
        }
    });
}

#[test]
fn every_poll_is_counted() {
    lab::paused(|| async {
        let mut rng = lab::random();
        let some = rng.range(5..12);
        let many = rng.range(300..600);
        for polls in [1, 2, 3, some, many] {
            let shop = Shop::open();
            // Also polls that take no time.
            let script = Script::random(&vec![0..3; polls], &vec![1..9; polls - 1]);
            shop.run_to_its_end("kg", script);
            shop.expect_polls(polls, "it came to its end");
        }
    });
}

#[test]
fn a_poll_that_holds_the_worker_is_slow_and_a_wait_is_not() {
    lab::paused(|| async {
        let (short, long) = (200..490, 510..900);
        let cases = [
            (vec![short.clone(); 6], 0),
            (vec![long.clone()], 1),
            (vec![long.clone(), short.clone(), long.clone()], 2),
            (vec![short.clone(), long.clone(), short.clone()], 1),
            (vec![long.clone(); 5], 5),
        ];
        for (polls, slow) in cases {
            let waits = vec![600..2_000; polls.len() - 1];
            let script = Script::random(&polls, &waits);
            let fast = script.a_million_times_as_fast();
            for (script, limit) in [(script, SLOW), (fast, SLOW / 1_000_000)] {
                let shop = Shop {
                    slow: limit,
                    ..Shop::open()
                };
                let told = script.told();
                shop.run_to_its_end("thumbnail", script);
                let seen = shop.only_sample().slow_polls;
                if seen != slow {
                    lab::fail(format!(
                        "a call with {told}; a poll is slow at {limit:?}, and the dashboard blames others"
                    ))
                    .expected(format!("slow polls: {slow}"))
                    .seen(format!("slow polls: {seen}"))
                    .at(shop.polled_at())
                    .raise();
                }
            }
        }
    });
}

#[test]
fn a_call_that_is_given_up_is_in_the_figures() {
    lab::paused(|| async {
        for polls in 1..5 {
            for owner in [Owner::LosesPatience, Owner::Panics] {
                let shop = Shop::open();
                // The last wait ends with the owner's patience.
                let script = Script::random(&quick_and_slow(polls), &vec![10..900; polls]);
                let expected = script.sample("card", false);
                shop.give_up("card", script, owner);
                let seen = shop.only_sample();
                if seen != expected {
                    let who = match owner {
                        Owner::LosesPatience => "a customer gave up a call",
                        Owner::Panics => {
                            "whoever waited for a call panicked, and so the call was dropped"
                        }
                    };
                    lab::fail(format!(
                        "{who}, and the dashboard does not show what it was"
                    ))
                    .expected(format!("{expected:?}"))
                    .seen(format!("{seen:?}"))
                    .raise();
                }
            }
        }
    });
}

#[test]
fn a_call_that_crashes_is_in_the_figures() {
    lab::paused(|| async {
        for polls in 0..3 {
            let shop = Shop::open();
            let script = Script::random(&quick_and_slow(polls + 1), &vec![10..90; polls]);
            let with = script.sample("parser", false);
            let mut before = script.clone();
            before.polls.pop();
            let without = Sample {
                wall: with.wall,
                ..before.sample("parser", false)
            };
            let mut call = shop.call(script.clone());
            call.crashes = true;
            let waker = call.waker.clone();
            let call = tokio::spawn(shop.metered("parser", call));
            for wait in script.waits {
                // Until the call waits.
                tokio::time::sleep(Duration::from_millis(1)).await;
                shop.clock.advance(wait);
                let waker = waker.lock().unwrap().take();
                if let Some(waker) = waker {
                    waker.wake();
                }
            }
            let crashed = call.await;
            let told = crashed.err().and_then(|error| error.try_into_panic().ok());
            let told = told.map(|panic| {
                panic
                    .downcast_ref::<&str>()
                    .copied()
                    .unwrap_or("something else")
            });
            lab::expect_eq(
                told,
                Some(CRASH),
                "what whoever waited for a call that crashed is told",
            );
            // Whether the poll that panicked counts is left open, for each figure by itself.
            let seen = shop.only_sample();
            let either = Sample {
                polls: [with.polls, without.polls]
                    .into_iter()
                    .find(|polls| *polls == seen.polls)
                    .unwrap_or(with.polls),
                busy: [with.busy, without.busy]
                    .into_iter()
                    .find(|busy| *busy == seen.busy)
                    .unwrap_or(with.busy),
                slow_polls: [with.slow_polls, without.slow_polls]
                    .into_iter()
                    .find(|slow| *slow == seen.slow_polls)
                    .unwrap_or(with.slow_polls),
                ..with
            };
            if seen != either {
                lab::fail("a call crashed, and the dashboard does not show what it was")
                    .expected(format!("{either:?}"))
                    .seen(format!("{seen:?}"))
                    .raise();
            }
        }
    });
}

#[test]
fn a_call_that_never_began_is_not_in_the_figures() {
    lab::paused(|| async {
        let shop = Shop::open();
        let script = Script::random(&[10..90], &[]);
        let call = shop.metered("database", shop.call(script));
        shop.clock.advance(Duration::from_millis(300));
        drop(call);
        let samples = shop.samples();
        if !samples.is_empty() {
            lab::fail("a call was prepared and never begun, and the dashboard shows it")
                .expected("no sample")
                .seen(format!("{samples:?}"))
                .raise();
        }
    });
}

#[test]
fn two_calls_at_once_have_their_own_figures() {
    lab::paused(|| async {
        let shop = Shop::open();
        let of = |polls: usize| Script::random(&vec![10..700; polls], &vec![0..1; polls - 1]);
        let scripts = [of(3), of(5)];
        let busy = scripts
            .each_ref()
            .map(|script| script.sample("", true).busy);
        let [first, second] = scripts.map(|script| shop.call(script));
        {
            let mut first = pin!(shop.metered("card", first));
            let mut second = pin!(shop.metered("card", second));
            let mut ended = [false; 2];
            while ended != [true; 2] {
                if !ended[0] {
                    ended[0] = poll(first.as_mut()).is_ready();
                }
                if !ended[1] {
                    ended[1] = poll(second.as_mut()).is_ready();
                }
            }
        }
        shop.expect_both([(3, busy[0]), (5, busy[1])], "at once");

        let shop = Shop::open();
        let script = of(4);
        let busy = script.sample("", true).busy;
        let inner = shop.metered("card", shop.call(script));
        // The outer one works too, before it turns to the inner one and after that.
        let work = Duration::from_millis(lab::random().range(10..90));
        {
            let mut inner = pin!(inner);
            let outer = poll_fn(|context| {
                shop.clock.advance(work);
                let answer = inner.as_mut().poll(context);
                shop.clock.advance(work);
                answer
            });
            let mut outer = pin!(shop.metered("card", outer));
            while poll(outer.as_mut()).is_pending() {}
        }
        let both = [(4, busy), (4, busy + work * 8)];
        shop.expect_both(both, "one inside of the other");
    });
}

#[test]
fn the_call_itself_goes_on_as_before() {
    lab::paused(|| async {
        let shop = Shop::open();
        let mut call = shop.call(Script::random(&[1..9, 1..9, 1..9], &[1..9, 1..9]));
        let alive = lab::Live::new();
        call.token = Some(alive.token());
        let (waker, answer) = (call.waker.clone(), call.answer);
        let mut call = Box::pin(shop.metered("kg", call));
        let (before, now) = (lab::CountingWaker::new(), lab::CountingWaker::new());
        let _ = lab::poll_once(call.as_mut(), &before);
        let _ = lab::poll_once(call.as_mut(), &now);
        lab::expect_eq(
            before.count() + now.count(),
            0,
            "times that a call was woken while it had nothing to do",
        );
        if let Some(waker) = waker.lock().unwrap().take() {
            waker.wake();
        }
        lab::expect(
            now.count() > 0 && before.count() == 0,
            "the call is ready, and whoever waits for it now is not woken",
        );
        let ended = lab::poll_once(call.as_mut(), &now);
        lab::expect_eq(ended, Poll::Ready(answer), "the answer of the call");
        drop(call);
        lab::expect_eq(alive.now(), 0, "calls that are over and still hold memory");

        let mut call = shop.call(Script::random(&[1..9, 1..9], &[1..9]));
        call.token = Some(alive.token());
        let mut call = Box::pin(shop.metered("kg", call));
        let _ = lab::poll_once(call.as_mut(), &now);
        drop(call);
        lab::expect_eq(
            alive.now(),
            0,
            "calls that were given up and still hold memory",
        );
    });
}

#[test]
fn any_call_can_be_metered() {
    lab::paused(|| async {
        let shop = Shop::open();
        // Can be spawned, if the call can.
        let _ = lab::spawnable(shop.metered("spawned", tokio::task::yield_now()));
        // Not to be sent to another thread, and not to be moved.
        let (name, basket) = (String::from("mina"), Rc::new(3));
        let local = async {
            tokio::task::yield_now().await;
            name.len() + *basket
        };
        lab::expect_eq(
            shop.metered("local", local).await,
            7,
            "the answer of a call that stays on its thread",
        );
    });
}

#[test]
fn p50_and_p99_are_those_of_the_nearest_rank() {
    lab::plain(|| {
        let mut rng = lab::random();
        for count in [0_usize, 1, 2, 3, 4, 10, 99, 100, 101, 250] {
            let mut samples: Vec<Duration> = (0..count)
                .map(|_| Duration::from_millis(rng.range(1..90)))
                .collect();
            let given = samples.clone();
            samples.sort();
            for percent in [0_usize, 1, 25, 50, 75, 90, 99, 100] {
                let q = percent as f64 / 100.0;
                let exact = (percent * count).div_ceil(100);
                // 0.07 * 100 is a little more than 7.
                let rounded = (q * count as f64).ceil() as usize;
                let at = |rank: usize| samples.get(rank.max(1) - 1).copied().unwrap_or_default();
                let seen = quantile(&given, q);
                if seen != at(exact) && seen != at(rounded) {
                    lab::fail(format!("p{percent} of {count} samples"))
                        .expected(format!("{:?}", at(exact)))
                        .seen(format!("{seen:?}"))
                        .at(lab::Trail::of_function(quantile as *const ()))
                        .raise();
                }
            }
        }
    });
}

const SLOW: Duration = Duration::from_millis(500);
const CRASH: &str = "the parser is at the end of its wits";

/// In turn, the slow ones first.
fn quick_and_slow(polls: usize) -> Vec<std::ops::Range<u64>> {
    let turns = [510..900, 10..490].into_iter().cycle();
    turns.take(polls).collect()
}

/// How a call ends before it is ready.
#[derive(Clone, Copy)]
enum Owner {
    LosesPatience,
    Panics,
}

fn poll<F: Future>(call: Pin<&mut F>) -> Poll<F::Output> {
    lab::poll_once(call, &lab::CountingWaker::new())
}

/// What the learner's code is given.
struct Shop {
    slow: Duration,
    clock: Arc<Hand>,
    book: Arc<Book>,
    polled_at: Arc<Mutex<Option<lab::Trail>>>,
}

impl Shop {
    fn open() -> Shop {
        // No clock begins at zero.
        let now = Duration::from_millis(lab::random().range(1_000..1_000_000));
        Shop {
            slow: SLOW,
            clock: Arc::new(Hand(Mutex::new(now))),
            book: Arc::default(),
            polled_at: Arc::default(),
        }
    }

    fn metered<F: Future>(
        &self,
        cat: &'static str,
        call: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        metered(cat, self.clock.clone(), self.book.clone(), self.slow, call)
    }

    fn call(&self, script: Script) -> Call {
        Call {
            script,
            polled: 0,
            clock: self.clock.clone(),
            polled_at: self.polled_at.clone(),
            answer: lab::random().u64(),
            crashes: false,
            waker: Arc::default(),
            token: None,
            place: None,
            _pinned: PhantomPinned,
        }
    }

    fn run_to_its_end(&self, cat: &'static str, script: Script) {
        let waits = script.waits.clone();
        let call = self.call(script);
        let answer = call.answer;
        let mut call = Box::pin(self.metered(cat, call));
        // Before its first poll a call has not begun.
        self.clock.advance(Duration::from_millis(777));
        for wait in waits {
            if poll(call.as_mut()).is_ready() {
                lab::fail("a call came to its end before it was ready").raise();
            }
            self.clock.advance(wait);
        }
        let ended = poll(call.as_mut());
        lab::expect_eq(ended, Poll::Ready(answer), "the answer of the call");
        // What comes after its end is not its own either.
        drop(call);
        self.clock.advance(Duration::from_millis(888));
    }

    fn give_up(&self, cat: &'static str, mut script: Script, owner: Owner) {
        let waits = script.waits.clone();
        // One more poll, which never comes.
        script.polls.push(Duration::ZERO);
        let mut call = Box::pin(self.metered(cat, self.call(script)));
        self.clock.advance(Duration::from_millis(777));
        for wait in waits {
            let _ = poll(call.as_mut());
            self.clock.advance(wait);
        }
        match owner {
            Owner::LosesPatience => drop(call),
            Owner::Panics => {
                let owns = std::panic::AssertUnwindSafe(move || {
                    let _call = call;
                    // As a panic does, but nobody has to be told of this one.
                    std::panic::resume_unwind(Box::new(()));
                });
                let _ = std::panic::catch_unwind(owns);
            }
        }
        self.clock.advance(Duration::from_millis(888));
    }

    fn samples(&self) -> Vec<Sample> {
        self.book.0.lock().unwrap().clone()
    }

    fn only_sample(&self) -> Sample {
        let samples = self.samples();
        if samples.len() != 1 {
            let shown = match samples.len() {
                0 => "none".to_string(),
                count => count.to_string(),
            };
            lab::fail(format!(
                "one call was made, and the dashboard shows {shown}"
            ))
            .expected("1 sample")
            .seen(format!("{} samples: {samples:?}", samples.len()))
            .raise();
        }
        samples[0]
    }

    fn expect_polls(&self, polls: usize, how: &str) {
        let seen = self.only_sample().polls as usize;
        if seen != polls {
            let times = match polls {
                1 => "once".to_string(),
                _ => format!("{polls} times"),
            };
            lab::fail(format!(
                "a call was polled {times} until {how}; the dashboard shows something else"
            ))
            .expected(format!("polls: {polls}"))
            .seen(format!("polls: {seen}"))
            .at(self.polled_at())
            .raise();
        }
    }

    /// Both of the same category, as two customers' are.
    fn expect_both(&self, expected: [(u32, Duration); 2], how: &str) {
        let mut seen: Vec<_> = self
            .samples()
            .iter()
            .map(|sample| (sample.polls, sample.busy))
            .collect();
        seen.sort();
        if seen != expected {
            let told = |calls: &[(u32, Duration)]| {
                let calls = calls.iter();
                let calls = calls.map(|(polls, busy)| format!("{polls} polls, busy {busy:?}"));
                calls.collect::<Vec<_>>().join("; ")
            };
            lab::fail(format!(
                "two calls run {how}, and the dashboard does not show what each of them has cost"
            ))
            .expected(told(&expected))
            .seen(told(&seen))
            .at(self.polled_at())
            .raise();
        }
    }

    /// Where a call was polled last: there its polls and its busy time are to be seen.
    fn polled_at(&self) -> lab::Trail {
        let polled_at = self.polled_at.lock().unwrap().clone();
        polled_at.expect("a call was polled")
    }
}

/// Moves when it is told to.
struct Hand(Mutex<Duration>);

impl Hand {
    fn advance(&self, time: Duration) {
        *self.0.lock().unwrap() += time;
    }
}

impl Clock for Hand {
    fn now(&self) -> Duration {
        let _ = lab::Trail::here();
        *self.0.lock().unwrap()
    }
}

#[derive(Default)]
struct Book(Mutex<Vec<Sample>>);

impl Sink for Book {
    fn record(&self, sample: Sample) {
        let _ = lab::Trail::here();
        self.0.lock().unwrap().push(sample);
    }
}

/// How long each poll of a call takes, and how long the call waits after it.
#[derive(Clone)]
struct Script {
    polls: Vec<Duration>,
    waits: Vec<Duration>,
}

impl Script {
    /// All in milliseconds.
    fn random(polls: &[std::ops::Range<u64>], waits: &[std::ops::Range<u64>]) -> Script {
        let mut rng = lab::random();
        let mut picked = |ranges: &[std::ops::Range<u64>]| {
            let times = ranges.iter().map(|range| rng.range(range.clone()));
            times.map(Duration::from_millis).collect()
        };
        Script {
            polls: picked(polls),
            waits: picked(waits),
        }
    }

    fn a_million_times_as_fast(&self) -> Script {
        let faster = |times: &[Duration]| times.iter().map(|time| *time / 1_000_000).collect();
        Script {
            polls: faster(&self.polls),
            waits: faster(&self.waits),
        }
    }

    fn sample(&self, cat: &'static str, completed: bool) -> Sample {
        let busy = self.polls.iter().sum();
        Sample {
            cat,
            polls: self.polls.len() as u32,
            busy,
            wall: busy + self.waits.iter().sum::<Duration>(),
            slow_polls: self.polls.iter().filter(|poll| **poll >= SLOW).count() as u32,
            completed,
        }
    }

    fn told(&self) -> String {
        match self.waits.is_empty() {
            true => format!("one poll of {:?}", self.polls[0]),
            false => format!(
                "polls of {:?} and waits of {:?} between them",
                self.polls, self.waits
            ),
        }
    }
}

/// A call after a script. Like most futures it must not be moved once it was polled.
struct Call {
    script: Script,
    polled: usize,
    clock: Arc<Hand>,
    polled_at: Arc<Mutex<Option<lab::Trail>>>,
    answer: u64,
    /// At its last poll.
    crashes: bool,
    /// Of the latest poll.
    waker: Arc<Mutex<Option<Waker>>>,
    token: Option<lab::LiveToken>,
    /// Where it was at its first poll.
    place: Option<usize>,
    _pinned: PhantomPinned,
}

impl Future for Call {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u64> {
        // SAFETY: nothing is moved out of it.
        let call = unsafe { self.get_unchecked_mut() };
        let trail = lab::Trail::here();
        *call.polled_at.lock().unwrap() = Some(trail.clone());
        let now = &raw const *call as usize;
        if *call.place.get_or_insert(now) != now {
            lab::fail(
                "a call was polled, and then it was somewhere else in memory: whatever points into it now points nowhere",
            )
            .expected("a call that stays where it was polled first, as it was pinned")
            .seen("a call that was moved")
            .at(trail)
            .raise();
        }
        call.clock.advance(call.script.polls[call.polled]);
        call.polled += 1;
        if call.polled < call.script.polls.len() {
            *call.waker.lock().unwrap() = Some(context.waker().clone());
            return Poll::Pending;
        }
        if call.crashes {
            std::panic::panic_any(CRASH);
        }
        Poll::Ready(call.answer)
    }
}
