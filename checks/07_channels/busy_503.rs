//! The checks play the shops and BI on the paused clock. Every event carries a ticket, which knows which
//! line dropped it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, sleep, timeout};

use crate::exercise::{EmitError, Event, EventBus, post_event};

#[test]
fn on_a_quiet_day_every_event_reaches_bi_at_once() {
    lab::paused(|| async {
        let start = Instant::now();
        let mut day = Day::random();
        for tx in day.first..day.first + 3 * day.cap as u64 {
            let status = post_event(&day.bus, day.event(tx)).await;
            day.expect(tx, status, 202, "BI is up");
            day.expect_at_bi(&[tx]).await;
        }
        let took = start.elapsed();
        if took > Duration::ZERO {
            lab::fail("BI is up, there is room, and the shops wait all the same")
                .expected("answers at once")
                .seen(format!("{took:?} for {} requests", 3 * day.cap))
                .at(try_emit())
                .raise();
        }
    });
}

#[test]
fn a_shop_is_told_503_while_bi_is_down() {
    lab::paused(|| async {
        let day = Day::random().full().await;
        let status = post_event(&day.bus, day.event(1)).await;
        day.expect(1, status, 503, "BI is down and the queue is full");
    });
}

#[test]
fn busy_is_said_after_50_ms() {
    lab::paused(|| async {
        let day = Day::random().full().await;
        for tx in 1..=2 {
            let start = Instant::now();
            let told = day.bus.try_emit(day.event(tx)).await;
            let took = start.elapsed().as_millis();
            if !matches!(told, Err(EmitError::Busy(_))) {
                day.fail(
                    tx,
                    "BI is down, the queue is full, and a payment is not told so",
                )
                .expected("Err(Busy(..))")
                .seen(format!("{told:?}"))
                .raise();
            }
            if !(50..50 + LOOK).contains(&took) {
                let before = ["", "; another payment was refused before"][tx as usize - 1];
                day.fail(
                    tx,
                    format!(
                        "`try_emit` promises to wait for a place for 50 ms, then to give up{before}"
                    ),
                )
                .expected("Busy after 50 ms")
                .seen(format!("Busy after {took} ms"))
                .raise();
            }
        }
    });
}

#[test]
fn a_place_that_comes_within_50_ms_is_taken() {
    lab::paused(|| async {
        for of_a_shop in [false, true] {
            let mut day = Day::random().full().await;
            let (after, start) = (lab::random().range(10..30), Instant::now());
            let (bus, event) = (day.bus.clone(), day.event(1));
            let request = tokio::spawn(async move {
                match of_a_shop {
                    false => format!("{:?}", bus.try_emit(event).await),
                    true => post_event(&bus, event).await.to_string(),
                }
            });
            sleep(Duration::from_millis(after)).await;
            let read = day.bi.try_recv().map(|event| event.tx);
            lab::expect(read.is_ok(), "the queue was full, and BI finds nothing");
            let told = request.await.expect("`try_emit` does not panic");
            let taken = ["Ok(())", "202"][usize::from(of_a_shop)];
            if told != taken {
                let what =
                    format!("after {after} ms there was a place, and the payment was refused");
                day.fail(1, what).expected(taken).seen(told).raise();
            }
            let took = start.elapsed().as_millis();
            if took >= u128::from(after) + LOOK {
                let what =
                    format!("after {after} ms there was a place, and the payment went on waiting");
                day.fail(1, what)
                    .expected(format!("{taken} after {after} ms"))
                    .seen(format!("{taken} after {took} ms"))
                    .raise();
            }
            let mut waiting: Vec<u64> = (day.first + 1..day.first + day.cap as u64).collect();
            waiting.push(1);
            day.expect_at_bi(&waiting).await;
        }
    });
}

#[test]
fn a_refused_event_comes_back_as_it_was() {
    lab::paused(|| async {
        let day = Day::random().full().await;
        let told = day.bus.try_emit(day.event(1)).await;
        day.expect_back(1, told);
    });
}

#[test]
fn every_request_has_50_ms_of_its_own() {
    lab::paused(|| async {
        let mut day = Day::random().full().await;
        let (shops, start) = (lab::random().range(10..30), Instant::now());
        let requests = (1..=shops).map(async |tx| {
            let told = day.bus.try_emit(day.event(tx)).await;
            (told, start.elapsed().as_millis())
        });
        for (tx, (told, took)) in (1..=shops).zip(join_all(requests).await) {
            if !(50..50 + LOOK).contains(&took) {
                day.fail(
                    tx,
                    format!("{shops} shops pay in the same moment, BI is down"),
                )
                .expected("all of them are answered after 50 ms")
                .seen(format!("one of them is answered after {took} ms"))
                .raise();
            }
            day.expect_back(tx, told);
        }
        let full: Vec<u64> = (day.first..day.first + day.cap as u64).collect();
        day.expect_at_bi(&full).await;
    });
}

#[test]
fn a_refused_event_does_not_reach_bi_later() {
    lab::paused(|| async {
        let mut day = Day::random().full().await;
        let status = post_event(&day.bus, day.event(1)).await;
        day.expect(1, status, 503, "BI is down and the queue is full");
        for tx in day.first..day.first + day.cap as u64 {
            let read = day.bi.recv().await.map(|event| event.tx);
            lab::expect_eq(read, Some(tx), "what BI reads when it is back");
        }
        sleep(Duration::from_secs(60)).await;
        if let Ok(event) = day.bi.try_recv() {
            let what = "the shop was told 503, tries again, and the payment is in BI twice";
            day.fail(event.tx, what)
                .expected("a refused event is nowhere")
                .seen(format!("payment {} at BI", event.tx))
                .raise();
        }
        let status = post_event(&day.bus, day.event(2)).await;
        day.expect(2, status, 202, "BI is back");
        day.expect_at_bi(&[2]).await;
    });
}

#[test]
fn a_bus_without_bi_says_so_at_once() {
    lab::paused(|| async {
        let mut day = Day::random();
        day.bi_is_gone();
        let start = Instant::now();
        let status = post_event(&day.bus, day.event(1)).await;
        day.expect(1, status, 500, "BI is gone for good");
        let told = day.bus.try_emit(day.event(2)).await;
        day.expect_closed(2, told);
        let took = start.elapsed();
        if took > Duration::ZERO {
            day.fail(2, "BI is gone for good: there is nothing to wait for")
                .expected("Closed at once")
                .seen(format!("Closed after {took:?}"))
                .raise();
        }
    });
}

#[test]
fn a_request_that_waits_hears_that_bi_is_gone() {
    lab::paused(|| async {
        let mut day = Day::random().full().await;
        let (bus, event) = (day.bus.clone(), day.event(1));
        let request = tokio::spawn(async move { bus.try_emit(event).await });
        sleep(Duration::from_millis(lab::random().range(10..40))).await;
        day.bi_is_gone();
        let told = request.await.expect("`try_emit` does not panic");
        day.expect_closed(1, told);
    });
}

/// Milliseconds that are granted to whoever looks now and then.
const LOOK: u128 = 10;

type Answer = Result<(), EmitError>;

struct Day {
    cap: usize,
    first: u64,
    bus: Arc<EventBus>,
    bi: Receiver<Event>,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    dropped: Mutex<HashMap<u64, lab::Trail>>,
}

/// Rides in `Event::payload`, whose owner it is.
struct Ticket {
    tx: u64,
    text: String,
    log: Arc<Log>,
}

impl AsRef<[u8]> for Ticket {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let trail = lab::Trail::here();
        self.log.dropped.lock().unwrap().insert(self.tx, trail);
    }
}

/// For a promise that breaks where no event was dropped.
fn try_emit() -> lab::Trail {
    lab::Trail::of_function(EventBus::try_emit as *const ())
}

impl Day {
    fn random() -> Day {
        let mut rng = lab::random();
        let (cap, first) = (rng.range(2..9) as usize, rng.range(1_000..1_000_000));
        let (bus, bi) = EventBus::new(cap);
        Day {
            cap,
            first,
            bus: Arc::new(bus),
            bi,
            log: Arc::default(),
        }
    }

    /// BI reads nothing, and as many events wait as the bus was built for.
    async fn full(self) -> Day {
        for tx in self.first..self.first + self.cap as u64 {
            let status = post_event(&self.bus, self.event(tx)).await;
            let when = format!("the bus was built for {} events and has room", self.cap);
            self.expect(tx, status, 202, &when);
        }
        self
    }

    fn bi_is_gone(&mut self) {
        self.bi = EventBus::new(1).1;
    }

    fn event(&self, tx: u64) -> Event {
        let (text, log) = (self.text(tx), self.log.clone());
        let payload = Bytes::from_owner(Ticket { tx, text, log });
        Event { tx, payload }
    }

    fn text(&self, tx: u64) -> String {
        format!("{{ \"won\": {} }}", self.first * (tx % 1_000 + 1))
    }

    fn fail(&self, tx: u64, what: impl Into<String>) -> lab::Failure {
        let failure = lab::fail(what);
        match self.drop_of(tx) {
            Some(place) => failure.at(place),
            None => failure.at(try_emit()),
        }
    }

    /// The learner's line that let go of the event.
    fn drop_of(&self, tx: u64) -> Option<lab::Place> {
        let place = self.log.dropped.lock().unwrap().get(&tx)?.place()?;
        let what = "drops the event".into();
        Some(lab::Place { what, ..place })
    }

    fn expect(&self, tx: u64, status: u16, expected: u16, when: &str) {
        if status != expected {
            self.fail(
                tx,
                format!("{when}, and the shop gets a wrong status for payment {tx}"),
            )
            .expected(expected)
            .seen(status)
            .raise();
        }
    }

    async fn next(&mut self, due: bool) -> Option<Event> {
        if !due {
            return self.bi.try_recv().ok();
        }
        timeout(Duration::from_secs(1), self.bi.recv()).await.ok()?
    }

    async fn expect_at_bi(&mut self, expected: &[u64]) {
        let mut read = Vec::new();
        while let Some(event) = self.next(read.len() < expected.len()).await {
            let same = event.payload == self.text(event.tx);
            lab::expect(
                same,
                format!("BI got payment {} with another payload", event.tx),
            );
            read.push(event.tx);
        }
        if read != expected {
            let lost = expected.iter().find(|tx| !read.contains(tx));
            let tx = *lost.unwrap_or(&expected[0]);
            self.fail(
                tx,
                "BI did not get the events that were taken, once each and in order",
            )
            .expected(format!("{expected:?}"))
            .seen(format!("{read:?}"))
            .raise();
        }
    }

    fn expect_back(&self, tx: u64, told: Answer) {
        let back = Err(EmitError::Busy(self.event(tx)));
        let what = "a payment is refused as busy, and what comes back to be tried again is not it";
        self.expect_same(tx, told, back, what);
    }

    fn expect_closed(&self, tx: u64, told: Answer) {
        let back = Err(EmitError::Closed(self.event(tx)));
        let what =
            "BI is gone for good, and the caller is not told so or does not get its event back";
        self.expect_same(tx, told, back, what);
    }

    fn expect_same(&self, tx: u64, told: Answer, expected: Answer, what: &str) {
        if told != expected {
            self.fail(tx, what)
                .expected(format!("{expected:?}"))
                .seen(format!("{told:?}"))
                .raise();
        }
    }
}
