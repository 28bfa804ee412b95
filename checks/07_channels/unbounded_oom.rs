//! The checks play the payments (producers) and BI (the reader) on the paused clock. Every event carries a
//! ticket, which knows whether the event is still alive, wherever it is kept, and which line dropped it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::exercise::*;

#[test]
fn bi_gets_every_event_of_a_quiet_day() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        for tx in day.first..day.first + 300 {
            let told = bus.emit(day.event(tx)).await;
            day.expect_told(tx, told, Ok(()), "BI was up");
            let read = bi.next().await.map(|event| (event.tx, event.record));
            let expected = Some((tx, day.event(tx).record));
            lab::expect(
                read == expected,
                format!("BI was up, and did not get payment {tx} as it was emitted"),
            );
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
            // 40 MiB, where the process may have 32.
            for tx in 0..40 * 1024 {
                let (raw, record) = (Bytes::new(), [tx as u8; 1024]);
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
            .map(|_| day.payments(&bus, 20 * day.cap))
            .collect();
        sleep(Duration::from_secs(60)).await;

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
        for n in 0..day.cap {
            let told = timeout(Duration::from_secs(1), bus.emit(day.event(n as u64))).await;
            if told != Ok(Ok(())) {
                lab::fail(format!(
                    "BI is down, {n} events wait in a bus that was built for {}, and the next payment \
                     is held up or refused",
                    day.cap
                ))
                .expected("Ok at once")
                .seen(told.map_or("no answer for a second".into(), |told| format!("{told:?}")))
                .raise();
            }
        }
    });
}

#[test]
fn what_emit_took_reaches_bi_once_and_in_order() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, mut bi) = EventBus::new(day.cap);
        let bus = Arc::new(bus);
        let payments = tokio::spawn(day.payments(&bus, 5 * day.cap));
        sleep(Duration::from_secs(60)).await;

        let read = read_all(&mut bi).await;
        let told = payments.await.unwrap();
        expect_kept(&told, &read, &day.log);

        let told = timeout(Duration::from_secs(60), bus.emit(day.event(7))).await;
        lab::expect_eq(
            told,
            Ok(Ok(())),
            "emit's answer after the outage, all events being read",
        );
        let read = read_all(&mut bi).await;
        lab::expect_eq(
            read,
            vec![7],
            "what BI reads of the first payment after the outage",
        );
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
    });
}

#[test]
fn a_payment_that_waits_hears_of_the_end_of_bi() {
    lab::paused(|| async {
        let day = Day::random();
        let (bus, bi) = EventBus::new(day.cap);
        let payments = tokio::spawn(day.payments(&Arc::new(bus), day.cap + 1));
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

type Answer = Result<(), BusError>;
type Told = Vec<(u64, Answer)>;

struct Day {
    cap: usize,
    first: u64,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    live: lab::Live,
    dropped: Mutex<HashMap<u64, lab::Trail>>,
}

/// Rides in `Event::raw`, whose owner it is.
struct Ticket {
    tx: u64,
    log: Arc<Log>,
    _alive: lab::LiveToken,
}

impl AsRef<[u8]> for Ticket {
    fn as_ref(&self) -> &[u8] {
        b"POST /payments"
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
        Day {
            cap,
            first,
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
        event(tx, &self.log)
    }

    /// Emits `count` events, one after the other, and returns what emit answered to each.
    fn payments(&self, bus: &Arc<EventBus>, count: usize) -> impl Future<Output = Told> + use<> {
        let (bus, first, log) = (bus.clone(), self.first, self.log.clone());
        async move {
            let mut told = Vec::new();
            for tx in first..first + count as u64 {
                told.push((tx, bus.emit(event(tx, &log)).await));
            }
            told
        }
    }
}

fn event(tx: u64, log: &Arc<Log>) -> Event {
    let ticket = Ticket {
        tx,
        log: log.clone(),
        _alive: log.live.token(),
    };
    Event {
        tx,
        raw: Bytes::from_owner(ticket),
        record: [tx as u8; 1024],
    }
}

/// What BI gets until it hears nothing for a minute.
async fn read_all(bi: &mut EventRx) -> Vec<u64> {
    let mut read = Vec::new();
    while let Ok(Some(event)) = timeout(Duration::from_secs(60), bi.next()).await {
        read.push(event.tx);
    }
    read
}

fn expect_kept(told: &Told, read: &[u64], log: &Log) {
    let taken: Vec<u64> = told
        .iter()
        .filter(|(_, told)| told.is_ok())
        .map(|(tx, _)| *tx)
        .collect();
    let lost: Vec<_> = taken.iter().filter(|tx| !read.contains(tx)).collect();
    let refused: Vec<_> = read.iter().filter(|tx| !taken.contains(tx)).collect();
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
