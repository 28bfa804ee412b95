//! `Acquirer` plays the acquirer after a script on the paused clock: how each call ends, and how long it takes.
//! The earlier a request stands in the batch, the later its call ends.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::{Gauge, Trail, WatchState};
use tokio::time::sleep;

use crate::exercise::{ChargeError, ChargeReq, Kg, Metrics, ReqId, TxId, fanout_charge};

#[test]
fn every_charge_stands_under_its_own_request() {
    lab::paused(|| async {
        let n = lab::random().range(5..12);
        for first_takes in [0, 20] {
            let night = Night::of(n, |_| End::Charged).slowed(first_takes);
            let seen = night.run().await;
            night.expect_outcomes(&seen);
            night.expect_dashboard(&seen);
        }
    });
}

#[test]
fn a_refused_charge_is_reported_with_its_reason() {
    lab::paused(|| async {
        let ends = [End::Charged, End::Refused];
        for first in 0..2 {
            let night = Night::of(12, |n| ends[(n + first) % 2]);
            let seen = night.run().await;
            night.expect_outcomes(&seen);
        }
    });
}

#[test]
fn the_dashboard_counts_every_failure() {
    lab::paused(|| async {
        let refused = lab::random().range(3..9);
        let night = Night::of(15, |n| match n < refused {
            true => End::Refused,
            false => End::Charged,
        });
        let seen = night.run().await;
        night.expect_dashboard(&seen);
    });
}

#[test]
fn a_call_that_panics_is_reported_as_unclear() {
    lab::paused(|| async {
        let night = Night::of(1, |_| End::Panics);
        let seen = night.run().await;
        night.expect_outcomes(&seen);
        night.expect_dashboard(&seen);
    });
}

#[test]
fn a_failure_stops_no_other_charge() {
    lab::paused(|| async {
        let last = 19;
        for first_to_end in [End::Refused, End::Panics] {
            // The last of the batch is answered first.
            let night = Night::of(last + 1, |n| match n {
                n if n == last => first_to_end,
                n if n % 5 == 0 => End::Panics,
                n if n % 3 == 0 => End::Refused,
                _ => End::Charged,
            });
            let seen = night.run().await;
            night.expect_nobody_cut_off();
            night.expect_outcomes(&seen);
            night.expect_dashboard(&seen);
        }
    });
}

#[test]
fn no_card_is_charged_twice() {
    lab::paused(|| async {
        for end in [End::Refused, End::Panics, End::Charged] {
            let night = Night::of(6, |_| end);
            night.run().await;
            night.expect_each_called_once();
        }
    });
}

#[test]
fn all_charges_are_made_at_the_same_time() {
    lab::paused(|| async {
        // One after the other they would take less than a virtual hour, the limit of a hang.
        let n = lab::random().range(30..50_usize);
        let night = Night::of(n, |_| End::Charged);
        night.run().await;
        let peak = night.kg.on_their_way.peak();
        if peak != n {
            lab::fail(format!(
                "of {n} charges only {peak} were on their way at the same time: the night is too short for that"
            ))
            .expected(format!("{n} calls on their way at once"))
            .seen(format!("{peak} at most"))
            .at(night.kg.last_call())
            .raise();
        }
    });
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Charged,
    Refused,
    Panics,
}

/// What the script has for one request.
struct Line {
    end: End,
    takes: Duration,
    tx: TxId,
    reason: String,
}

struct Call {
    id: ReqId,
    from: Trail,
    work: Arc<WatchState>,
}

#[derive(Default)]
struct Acquirer {
    script: BTreeMap<ReqId, Line>,
    calls: Mutex<Vec<Call>>,
    on_their_way: Gauge,
}

/// One batch, and who answers it.
struct Night {
    reqs: Vec<ChargeReq>,
    kg: Arc<Acquirer>,
}

struct Seen {
    outcomes: Vec<(ReqId, Result<TxId, ChargeError>)>,
    charged: u64,
    failed: u64,
}

impl Night {
    fn of(n: usize, end: impl Fn(usize) -> End) -> Night {
        let mut rng = lab::random();
        let first = rng.range(1_000..1_000_000);
        let mut ids: Vec<_> = (0..n as u64).map(|i| ReqId(first + 7 * i)).collect();
        rng.shuffle(&mut ids);

        let mut kg = Acquirer::default();
        let mut takes = Duration::from_millis(n as u64 * 900);
        for (i, id) in ids.iter().enumerate() {
            takes -= Duration::from_millis(rng.range(100..900));
            let line = Line {
                end: end(i),
                takes,
                tx: TxId(rng.u64()),
                reason: format!("limit of {} KRW a day", rng.range(1..1_000_u32) * 1_000),
            };
            kg.script.insert(*id, line);
        }
        let reqs = ids.into_iter().map(|id| ChargeReq {
            id,
            amount_krw: rng.range(1_000..90_000),
        });
        Night {
            reqs: reqs.collect(),
            kg: Arc::new(kg),
        }
    }

    /// The answer to the first of the batch, which comes last, takes so many minutes more.
    fn slowed(mut self, minutes: u64) -> Night {
        let kg = Arc::get_mut(&mut self.kg).expect("nobody has called yet");
        let first = kg.script.get_mut(&self.reqs[0].id);
        first.expect("it is in the script").takes += Duration::from_secs(60 * minutes);
        self
    }

    async fn run(&self) -> Seen {
        let metrics = Metrics::default();
        let outcomes = fanout_charge(self.reqs.clone(), self.kg.clone(), &metrics).await;
        Seen {
            outcomes,
            charged: metrics.charged.load(Ordering::SeqCst),
            failed: metrics.failed.load(Ordering::SeqCst),
        }
    }

    /// Every request of the batch has one outcome, and that is its own.
    fn expect_outcomes(&self, seen: &Seen) {
        for req in &self.reqs {
            let line = &self.kg.script[&req.id];
            let own = seen.outcomes.iter().filter(|(id, _)| *id == req.id);
            let own: Vec<_> = own.map(|(_, outcome)| outcome.clone()).collect();
            if own != [line.outcome()] {
                lab::fail(format!(
                    "request {}: {}, {}",
                    req.id.0,
                    line.story(),
                    told(&own)
                ))
                .expected(format!("{:?}", line.outcome()))
                .seen(match &own[..] {
                    [] => "no outcome".into(),
                    [one] => format!("{one:?}"),
                    more => format!("{more:?}"),
                })
                .at(self.kg.call_of(req.id))
                .raise();
            }
        }
        let strangers = seen.outcomes.len() - self.reqs.len();
        lab::expect_eq(strangers, 0, "outcomes under the id of no request");
    }

    fn expect_dashboard(&self, seen: &Seen) {
        let lines = self.kg.script.values();
        let charged = lines.filter(|line| line.end == End::Charged).count();
        let failed = self.reqs.len() - charged;
        if (seen.charged, seen.failed) != (charged as u64, failed as u64) {
            let first_failed = |req: &&ChargeReq| self.kg.script[&req.id].end != End::Charged;
            let failed_call = self.reqs.iter().find(first_failed);
            lab::fail(format!(
                "the acquirer charged {charged} of {} cards, and the dashboard tells something else",
                self.reqs.len()
            ))
            .expected(format!("charged: {charged}, failed: {failed}"))
            .seen(format!("charged: {}, failed: {}", seen.charged, seen.failed))
            .at(failed_call.and_then(|req| self.kg.call_of(req.id)))
            .raise();
        }
    }

    fn expect_nobody_cut_off(&self) {
        let calls = self.kg.calls.lock().unwrap();
        let ends_well = |call: &&Call| self.kg.script[&call.id].end != End::Panics;
        for call in calls.iter().filter(ends_well) {
            if !call.work.completed() {
                lab::fail(format!(
                    "another call of the batch failed, and the call for request {} was broken off half-way: \
                     nobody knows whether that card was charged",
                    call.id.0
                ))
                .at(call.work.dropped_at())
                .at(&call.from)
                .raise();
            }
        }
    }

    fn expect_each_called_once(&self) {
        for req in &self.reqs {
            let calls = self.kg.calls.lock().unwrap();
            let calls: Vec<_> = calls.iter().filter(|call| call.id == req.id).collect();
            if calls.len() != 1 {
                lab::fail(format!(
                    "request {}: {}, and the acquirer was called {} times for it",
                    req.id.0,
                    self.kg.script[&req.id].story(),
                    calls.len()
                ))
                .expected("1 call")
                .seen(format!("{} calls", calls.len()))
                .at(calls.last().map(|call| &call.from))
                .raise();
            }
        }
    }
}

impl Line {
    fn outcome(&self) -> Result<TxId, ChargeError> {
        match self.end {
            End::Charged => Ok(self.tx),
            End::Refused => Err(ChargeError::Refused(self.reason.clone())),
            End::Panics => Err(ChargeError::Unclear),
        }
    }

    fn story(&self) -> &'static str {
        match self.end {
            End::Charged => "the card was charged",
            End::Refused => "the acquirer refused",
            End::Panics => "the call panicked",
        }
    }
}

fn told(own: &[Result<TxId, ChargeError>]) -> String {
    match own {
        [] => "and nobody is told: it is missing in the outcomes".into(),
        [_] => "and the outcome under its id says something else".into(),
        more => format!("and it has {} outcomes", more.len()),
    }
}

impl Acquirer {
    fn call_of(&self, id: ReqId) -> Option<Trail> {
        let calls = self.calls.lock().unwrap();
        let call = calls.iter().find(|call| call.id == id)?;
        Some(call.from.clone())
    }

    fn last_call(&self) -> Option<Trail> {
        let calls = self.calls.lock().unwrap();
        Some(calls.last()?.from.clone())
    }
}

impl Kg for Acquirer {
    fn charge(&self, req: ChargeReq) -> BoxFuture<'_, Result<TxId, String>> {
        let id = req.id;
        let call = lab::watched(format!("call {}", id.0), async move {
            let _on_its_way = self.on_their_way.enter();
            let line = &self.script[&id];
            sleep(line.takes).await;
            match line.end {
                End::Charged => Ok(line.tx),
                End::Refused => Err(line.reason.clone()),
                End::Panics => panic!("the answer to request {} has no field `tx`", id.0),
            }
        });
        self.calls.lock().unwrap().push(Call {
            id,
            from: Trail::here(),
            work: call.state(),
        });
        Box::pin(call)
    }
}
