//! The checks play the payments (producers) and BI (the reader) on the paused clock. Every event carries a
//! ticket, which knows whether the event is still alive, wherever it is kept, and which line dropped it.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{advance, sleep, timeout};

use crate::exercise::{BusError, Event, EventBus, EventRx};

#[test]
fn bi_gets_every_event_of_a_quiet_day() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        for tx in day.first..day.first + 300 {
            let told = bus.emit(day.event(tx)).await;
            day.expect_told(tx, told, Ok(()), "BI was up");
            let read = bi.next().await.map(|event| day.read(event));
            lab::expect_eq(read, Some(tx), "the payment that BI reads, being up");
        }
        drop(bus);
        let rest = bi.next().await.map(|event| event.tx);
        lab::expect_eq(
            rest,
            None,
            "what BI reads after the bus is gone and everything was read",
        );
    });
}

#[test]
fn an_outage_of_bi_does_not_fill_the_memory() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, _bi_is_down) = EventBus::new(day.cap);
        let payments = async {
            // 48 MiB, where the process may have 32.
            for tx in 0..24 * 1024 {
                let (raw, record) = day.paper.of(tx);
                let raw = Bytes::from(raw);
                let _ = bus.emit(Event { tx, raw, record }).await;
                // Payments come in over time; all in one go would look like a loop that never yields.
                if tx % 1_000 == 0 {
                    sleep(Duration::from_millis(1)).await;
                }
            }
        };
        let _ = timeout(Duration::from_secs(60), payments).await;
    });
}

#[test]
fn no_more_events_wait_than_the_cap() {
    lab::paused(|| async {
        let day = Day::random();
        let producers = lab::random().range(2..6) as usize;
        let (bus, _bi_is_down) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        let payments: JoinSet<_> = (0..producers)
            .map(|n| day.payments(&bus, n * 4 * day.cap, 4 * day.cap))
            .collect();
        half_an_hour().await;

        let alive = day.log.live.now();
        if alive > day.cap + producers {
            lab::fail(format!(
                "BI reads nothing, and {alive} events are kept in memory; the bus was built for {}, \
                 and each of the {producers} payments under way may hold one",
                day.cap
            ))
            .expected(format!("at most {} events", day.cap + producers))
            .seen(format!("{alive} events"))
            .raise();
        }
        drop(payments);
    });
}

#[test]
fn a_short_outage_delays_no_payment() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, _bi_is_down) = EventBus::new(day.cap);
        day.fill(&bus, 0, "BI is down").await;
    });
}

#[test]
fn what_emit_took_reaches_bi_once_and_in_order() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        let each = 5 * day.cap / PRODUCERS;
        let payments: Vec<_> = (0..PRODUCERS)
            .map(|n| tokio::spawn(day.payments(&bus, n * each, each)))
            .collect();
        half_an_hour().await;

        let read = read_all(&mut bi, &day).await;
        for payments in payments {
            let Ok(told) = timeout(Duration::from_secs(60), payments).await else {
                lab::fail(format!(
                    "BI is back and has read everything, and of {PRODUCERS} payments that waited for \
                     room at once some still wait"
                ))
                .expected(format!("{} answers", PRODUCERS * each))
                .seen(format!("{} answers Ok", day.log.taken.load(Relaxed)))
                .raise();
            };
            let told = told.unwrap();
            let theirs = told[0].0..told[0].0 + each as u64;
            let read = read.iter().copied().filter(|tx| theirs.contains(tx));
            expect_kept(&told, &read.collect::<Vec<_>>(), &day.log);
        }

        let told = timeout(Duration::from_secs(60), bus.emit(day.event(7))).await;
        lab::expect_eq(
            told,
            Ok(Ok(())),
            "emit's answer after the outage, all events being read",
        );
        let read = read_all(&mut bi, &day).await;
        lab::expect_eq(
            read,
            vec![7],
            "what BI reads of the first payment after the outage",
        );
    });
}

#[test]
fn emit_promises_no_more_than_the_cap() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, _bi_is_down) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        let payments: JoinSet<_> = (0..PRODUCERS)
            .map(|n| day.payments(&bus, n * 4 * day.cap, 4 * day.cap))
            .collect();
        half_an_hour().await;

        let taken = day.log.taken.load(Relaxed);
        if taken > day.cap + PRODUCERS {
            lab::fail(format!(
                "BI reads nothing for half an hour, and `emit` answered Ok {taken} times: it promised BI more \
                 events than may wait in a bus that was built for {}",
                day.cap
            ))
            .at(lab::Trail::of_function(EventBus::emit as *const ()))
            .expected(format!("{} times Ok", day.cap))
            .seen(format!("{taken} times Ok"))
            .raise();
        }
        drop(payments);
    });
}

#[test]
fn a_payment_that_stops_waiting_has_emitted_nothing() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        let mut expected = day.fill(&bus, 0, "BI is down").await;
        let mut dropped = HashSet::new();
        for n in day.cap..day.cap + 64 {
            let tx = day.first + n as u64;
            match timeout(Duration::from_millis(1), bus.emit(day.event(tx))).await {
                Err(_) => drop(dropped.insert(tx)),
                Ok(Ok(())) => expected.push(tx),
                Ok(Err(_)) => {}
            }
        }
        sleep(Duration::from_secs(1)).await;

        let (alive, taken) = (day.log.live.now(), expected.len());
        if alive > taken + 1 {
            lab::fail(format!(
                "BI is down, and {} payments gave up waiting for room; of {alive} events kept in memory \
                 only {taken} were answered Ok",
                dropped.len()
            ))
            .expected(format!("{taken} events"))
            .seen(format!("{alive} events"))
            .at(lab::Trail::of_function(EventBus::emit as *const ()))
            .raise();
        }
        let read = read_all(&mut bi, &day).await;
        if let Some(tx) = read.iter().find(|tx| dropped.contains(tx)) {
            lab::fail(format!(
                "payment {tx} gave up waiting for `emit`, and BI got it all the same: who tries again \
                 books it twice"
            ))
            .at(lab::Trail::of_function(EventBus::emit as *const ()))
            .raise();
        }
        lab::expect(
            read == expected,
            "some payments gave up waiting for room, and BI did not get all that `emit` took, in order",
        );
        let gave_up = "some payments gave up waiting for room, BI then read everything";
        day.fill(&bus, 4 * day.cap, gave_up).await;
    });
}

#[test]
fn room_that_nobody_takes_goes_to_the_next_payment() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        day.fill(&bus, 0, "BI is down").await;
        let mut gives_up = Box::pin(bus.emit(day.event(1)));
        if lab::poll_once(gives_up.as_mut(), &lab::CountingWaker::new()).is_ready() {
            // Nobody waits on this bus: everybody was answered at once.
            return;
        }
        let waits = tokio::spawn(day.payments(&bus, day.cap, 1));
        yield_now().await;
        bi.next().await;
        // The room may be promised to the first one, who is gone before the next poll.
        drop(gives_up);
        if timeout(Duration::from_secs(60), waits).await.is_err() {
            lab::fail(
                "two payments waited for room, BI made room for one, and the first one had just given up: \
                 the second waits for ever",
            )
            .at(lab::Trail::of_function(EventBus::emit as *const ()))
            .raise();
        }
    });
}

#[test]
fn bi_may_stop_waiting_for_an_event() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        let mut rng = lab::random();
        let (mut told, mut read) = (Vec::new(), Vec::new());
        for n in 0..300 {
            {
                let mut waits = pin!(bi.next());
                if let Some(event) = waits.as_mut().now_or_never() {
                    read.extend(event.map(|event| day.read(event)));
                }
                if rng.coin() {
                    let tx = day.first + n;
                    told.push((tx, bus.emit(day.event(tx)).await));
                }
                // Woken, and given up before the next poll.
            }
            if rng.coin() {
                let patience = Duration::from_millis(rng.range(0..4));
                if let Ok(event) = timeout(patience, bi.next()).await {
                    read.extend(event.map(|event| day.read(event)));
                }
            }
            while n % 50 == 49
                && let Ok(Some(event)) = timeout(Duration::from_secs(1), bi.next()).await
            {
                read.push(day.read(event));
            }
        }
        read.extend(read_all(&mut bi, &day).await);
        let lost = told.iter().filter(|(tx, _)| !read.contains(tx)).count();
        if lost > 0 && told.iter().all(|(_, told)| told.is_ok()) {
            lab::fail(format!(
                "BI stopped waiting in `next` now and then, as `select!` does, and of {} events that \
                 `emit` took {lost} never came",
                told.len()
            ))
            .expected(format!("{} events", told.len()))
            .seen(format!("{} events", read.len()))
            .at(lab::Trail::of_function(EventRx::next as *const ()))
            .raise();
        }
        expect_kept(&told, &read, &day.log);
    });
}

#[test]
fn a_bus_that_nobody_reads_any_more_says_closed() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, bi) = EventBus::new(day.cap);
        drop(bi);
        let told = bus.emit(day.event(1)).await;
        day.expect_told(1, told, Err(BusError::Closed), "the receiver was gone");

        let (bus, bi) = EventBus::new(day.cap);
        day.fill(&bus, 0, "BI is down").await;
        drop(bi);
        let told = bus.emit(day.event(1)).await;
        let when = "the receiver was gone, and the bus was still full";
        day.expect_told(1, told, Err(BusError::Closed), when);
    });
}

#[test]
fn a_payment_that_waits_hears_of_the_end_of_bi() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, bi) = EventBus::new(day.cap);
        let payments = tokio::spawn(day.payments(&Arc::new(bus), 0, day.cap + 1));
        sleep(Duration::from_secs(60)).await;
        if payments.is_finished() {
            // Nobody waits on this bus: everybody was answered at once.
            return;
        }
        drop(bi);
        let told = payments.await.unwrap();
        lab::expect(
            told[day.cap].1.is_err(),
            "BI ended while a payment waited for room, and emit told that payment Ok",
        );
    });
}

/// Payments at the same moment.
const PRODUCERS: usize = 3;

type Answer = Result<(), BusError>;
type Told = Vec<(u64, Answer)>;

struct Day {
    cap: usize,
    first: u64,
    paper: Arc<Paper>,
    log: Arc<Log>,
}

/// Random, so that no event can be kept in less room than it takes.
struct Paper(Vec<u8>);

impl Paper {
    /// Two kinds of content for a payment, the same at every call.
    fn of(&self, tx: u64) -> (Vec<u8>, [u8; 1024]) {
        let mut rng = lab::Random::seeded(tx);
        let mut cut = |len: usize| {
            let from = rng.range(0..self.0.len() - len);
            &self.0[from..from + len]
        };
        let record = cut(1024).try_into().unwrap();
        let raw = cut(512 + tx as usize % 1024).to_vec();
        (raw, record)
    }
}

#[derive(Default)]
struct Log {
    live: lab::Live,
    /// Answers Ok.
    taken: AtomicUsize,
    dropped: Mutex<HashMap<u64, lab::Trail>>,
}

/// Rides in `Event::raw`, whose owner it is.
struct Ticket {
    tx: u64,
    raw: Vec<u8>,
    log: Arc<Log>,
    _alive: lab::LiveToken,
}

impl AsRef<[u8]> for Ticket {
    fn as_ref(&self) -> &[u8] {
        &self.raw
    }
}

impl Log {
    /// The learner's line that let go of the event.
    fn drop_of(&self, tx: u64) -> Option<lab::Place> {
        let place = self.dropped.lock().unwrap().get(&tx)?.place()?;
        Some(lab::Place {
            what: "drops the event".into(),
            ..place
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.log
            .dropped
            .lock()
            .unwrap()
            .insert(self.tx, lab::Trail::here());
    }
}

impl Day {
    fn random() -> Day {
        let mut rng = lab::random();
        let (cap, first) = (rng.range(100..300) as usize, rng.range(1_000..1_000_000));
        let paper = (0..8 * 1024).flat_map(|_| rng.u64().to_le_bytes());
        Day {
            cap,
            first,
            paper: Arc::new(Paper(paper.collect())),
            log: Arc::default(),
        }
    }

    fn expect_told(&self, tx: u64, told: Answer, expected: Answer, when: &str) {
        if told != expected {
            lab::fail(format!("`emit` gave payment {tx} a wrong answer: {when}"))
                .expected(format!("{expected:?}"))
                .seen(format!("{told:?}"))
                .at(self.log.drop_of(tx))
                .raise();
        }
    }

    fn event(&self, tx: u64) -> Event {
        event(tx, &self.paper, &self.log)
    }

    /// BI looks at what it got.
    fn read(&self, event: Event) -> u64 {
        let (raw, record) = self.paper.of(event.tx);
        if event.raw != raw || event.record != record {
            let tx = event.tx;
            lab::fail(format!("BI got payment {tx}, and not as it was emitted"))
                .expected(format!(
                    "raw {:x?}.., record {:x?}..",
                    &raw[..4],
                    &record[..4]
                ))
                .seen(format!(
                    "raw {:x?}.., record {:x?}..",
                    &event.raw[..event.raw.len().min(4)],
                    &event.record[..4]
                ))
                .raise();
        }
        event.tx
    }

    /// An empty bus takes `cap` events at once, from the `from`th payment of the day on.
    async fn fill(&self, bus: &EventBus, from: usize, story: &str) -> Vec<u64> {
        let first = self.first + from as u64;
        let all: Vec<u64> = (first..first + self.cap as u64).collect();
        for (n, tx) in all.iter().enumerate() {
            let told = timeout(Duration::from_secs(1), bus.emit(self.event(*tx))).await;
            if told != Ok(Ok(())) {
                lab::fail(format!(
                    "{story}, {n} events wait in a bus that was built for {}, and the next payment is \
                     held up or refused",
                    self.cap
                ))
                .expected("Ok at once")
                .seen(told.map_or("no answer for a second".into(), |told| format!("{told:?}")))
                .raise();
            }
        }
        all
    }

    /// Emits `count` events, one after the other, from the `from`th payment of the day on, and returns what
    /// emit answered to each.
    fn payments(
        &self,
        bus: &Arc<EventBus>,
        from: usize,
        count: usize,
    ) -> impl Future<Output = Told> + use<> {
        let (bus, first) = (bus.clone(), self.first + from as u64);
        let (paper, log) = (self.paper.clone(), self.log.clone());
        async move {
            let mut told = Vec::new();
            for tx in first..first + count as u64 {
                let answer = bus.emit(event(tx, &paper, &log)).await;
                log.taken.fetch_add(usize::from(answer.is_ok()), Relaxed);
                told.push((tx, answer));
            }
            told
        }
    }
}

fn event(tx: u64, paper: &Paper, log: &Arc<Log>) -> Event {
    let (raw, record) = paper.of(tx);
    let ticket = Ticket {
        tx,
        raw,
        log: log.clone(),
        _alive: log.live.token(),
    };
    Event {
        tx,
        raw: Bytes::from_owner(ticket),
        record,
    }
}

/// In jumps: a bus that looks for room every few milliseconds must not cost half an hour of looks.
async fn half_an_hour() {
    for _ in 0..30 {
        advance(Duration::from_secs(60)).await;
        sleep(Duration::from_millis(50)).await;
    }
}

/// What BI gets until it hears nothing for a minute.
async fn read_all(bi: &mut EventRx, day: &Day) -> Vec<u64> {
    let mut read = Vec::new();
    while let Ok(Some(event)) = timeout(Duration::from_secs(60), bi.next()).await {
        read.push(day.read(event));
    }
    read
}

fn expect_kept(told: &Told, read: &[u64], log: &Log) {
    let taken: Vec<u64> = told
        .iter()
        .filter(|(_, told)| told.is_ok())
        .map(|(tx, _)| *tx)
        .collect();
    let all = |txs: &[u64]| txs.iter().copied().collect::<HashSet<u64>>();
    let (were_taken, were_read) = (all(&taken), all(read));
    let lost: Vec<_> = taken.iter().filter(|tx| !were_read.contains(tx)).collect();
    let refused: Vec<_> = read.iter().filter(|tx| !were_taken.contains(tx)).collect();
    if let [first, ..] = lost.as_slice() {
        lab::fail(format!(
            "emit answered Ok to payment {first}, and BI never got it; {} payments of {} are lost so",
            lost.len(),
            taken.len()
        ))
        .expected(format!("{} events", taken.len()))
        .seen(format!("{} events", read.len()))
        .at(log.drop_of(**first))
        .raise();
    }
    if let [first, ..] = refused.as_slice() {
        lab::fail(format!(
            "emit refused payment {first}, and BI got it all the same: who tries again books it twice"
        ))
        .raise();
    }
    lab::expect(
        read == taken,
        "BI got every payment that emit took, but twice or in another order",
    );
}
