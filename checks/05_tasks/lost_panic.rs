//! `Book` plays the receipt and settlement services after a script: what becomes of each charge, at
//! which step, and how long its receipt takes. All on the paused clock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::{Instant, sleep};

use crate::exercise::*;

#[test]
fn every_charge_gets_its_receipt_and_its_settlement() {
    lab::paused(|| async {
        let (ids, book) = batch(5, |_| Fate::Well);
        let report = run_after_charge(ids.clone(), book.clone()).await;
        book.expect_truth(&report);
        for id in ids {
            let calls = book.calls_of(id);
            lab::expect_eq(
                calls,
                vec![Step::Receipt, Step::Settlement],
                format!("the steps that ran for charge {}, which went well", id.0),
            );
        }
    });
}

#[test]
fn a_failing_step_is_reported_with_its_reason() {
    lab::paused(|| async {
        for step in [Step::Receipt, Step::Settlement] {
            let (ids, book) = batch(1, |_| Fate::Fails(step));
            let report = run_after_charge(ids.clone(), book.clone()).await;
            book.expect_truth(&report);
        }
    });
}

#[test]
fn every_outcome_stands_under_its_own_charge() {
    lab::paused(|| async {
        let fates = [
            Fate::Well,
            Fate::Fails(Step::Receipt),
            Fate::Fails(Step::Settlement),
        ];
        let (ids, book) = batch(24, |n| fates[n % fates.len()]);
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn a_panicking_receipt_is_reported() {
    lab::paused(|| async {
        let (ids, book) = batch(1, |_| Fate::Panics(Step::Receipt));
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn a_panic_takes_no_other_charge_along() {
    lab::paused(|| async {
        let fates = [
            Fate::Well,
            Fate::Panics(Step::Receipt),
            Fate::Fails(Step::Receipt),
            Fate::Panics(Step::Settlement),
            Fate::Fails(Step::Settlement),
        ];
        let (ids, book) = batch(25, |n| fates[n % fates.len()]);
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn no_step_runs_twice() {
    lab::paused(|| async {
        let (ids, book) = batch(6, |n| match n % 2 {
            0 => Fate::Panics(Step::Settlement),
            _ => Fate::Fails(Step::Settlement),
        });
        run_after_charge(ids.clone(), book.clone()).await;
        for id in ids {
            let receipts = book
                .calls_of(id)
                .iter()
                .filter(|step| **step == Step::Receipt)
                .count();
            if receipts != 1 {
                lab::fail(format!(
                    "the customer of charge {} got {receipts} receipts: a step of this charge \
                     went wrong after the receipt, and the steps were run again",
                    id.0
                ))
                .expected("1 receipt")
                .seen(format!("{receipts} receipts"))
                .raise();
            }
        }
    });
}

#[test]
fn all_charges_are_handled_at_the_same_time() {
    lab::paused(|| async {
        let n = lab::random().range(40..80_usize);
        let (ids, book) = batch(n, |_| Fate::Well);
        let slowest = book.script.values().map(|line| line.takes).max().unwrap();
        let start = Instant::now();
        run_after_charge(ids, book.clone()).await;
        let (peak, took) = (book.in_flight.peak(), start.elapsed());
        if peak != n {
            lab::fail(format!(
                "of {n} charges only {peak} were handled at the same time: the batch took {took:?}, \
                 its slowest receipt {slowest:?}"
            ))
            .expected(format!("{n} receipts on their way at once"))
            .seen(format!("{peak}"))
            .raise();
        }
    });
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Receipt,
    Settlement,
}

#[derive(Debug, Clone, Copy)]
enum Fate {
    Well,
    Fails(Step),
    Panics(Step),
}

struct Line {
    fate: Fate,
    takes: Duration,
    /// What an error or a panic of this charge says.
    reason: String,
}

struct Book {
    script: BTreeMap<TxId, Line>,
    calls: Mutex<Vec<(TxId, Step)>>,
    in_flight: lab::Gauge,
}

/// A batch of `n` charges; the earlier one stands in the batch, the longer its receipt takes.
fn batch(n: usize, fate: impl Fn(usize) -> Fate) -> (Vec<TxId>, Arc<Book>) {
    let mut rng = lab::random();
    let first = rng.range(1_000..1_000_000);
    let mut ids: Vec<_> = (0..n as u64).map(|i| TxId(first + 7 * i)).collect();
    rng.shuffle(&mut ids);

    let mut takes = Duration::from_millis(n as u64 * 300);
    let mut script = BTreeMap::new();
    for (i, id) in ids.iter().enumerate() {
        takes -= Duration::from_millis(rng.range(100..300));
        let reason = format!("printer {} is out of paper", rng.range(1..1_000));
        let line = Line {
            fate: fate(i),
            takes,
            reason,
        };
        script.insert(*id, line);
    }
    let book = Book {
        script,
        calls: Mutex::default(),
        in_flight: lab::Gauge::new(),
    };
    (ids, Arc::new(book))
}

impl Book {
    fn calls_of(&self, id: TxId) -> Vec<Step> {
        let calls = self.calls.lock().unwrap();
        calls
            .iter()
            .filter(|(of, _)| *of == id)
            .map(|(_, step)| *step)
            .collect()
    }

    /// Every charge of the script stands in the list where it belongs, and nowhere else.
    fn expect_truth(&self, report: &Report) {
        for (&id, line) in &self.script {
            let (list, fate) = match line.fate {
                Fate::Well => ("ok", "went well"),
                Fate::Fails(_) => ("failed", "had a step that answered with an error"),
                Fate::Panics(_) => ("panicked", "had a step that panicked"),
            };
            let lists = lists_with(report, id);
            if lists != [list] {
                lab::fail(format!("charge {} {fate}, {}", id.0, told(&lists)))
                    .expected(format!("in `{list}`"))
                    .seen(where_in(&lists))
                    .raise();
            }
            for (_, reason) in report.failed.iter().filter(|(of, _)| *of == id) {
                let what = format!("the reason that the report gives for charge {}", id.0);
                lab::expect_eq(reason, &line.reason, what);
            }
        }
        let told = report.ok.len() + report.failed.len() + report.panicked.len();
        lab::expect_eq(
            told,
            self.script.len(),
            "how many charges the report speaks of",
        );
    }

    fn call(&self, id: TxId, step: Step) -> BoxFuture<'_, Result<(), String>> {
        // For failures without a panic.
        let _called_at = lab::Trail::here();
        self.calls.lock().unwrap().push((id, step));
        Box::pin(async move {
            let _in_flight = self.in_flight.enter();
            let line = &self.script[&id];
            if step == Step::Receipt {
                sleep(line.takes).await;
            }
            match line.fate {
                Fate::Fails(at) if at == step => Err(line.reason.clone()),
                Fate::Panics(at) if at == step => panic!("charge {}: {}", id.0, line.reason),
                _ => Ok(()),
            }
        })
    }
}

impl Steps for Book {
    fn send_receipt(&self, id: TxId) -> BoxFuture<'_, Result<(), String>> {
        self.call(id, Step::Receipt)
    }

    fn queue_settlement(&self, id: TxId) -> BoxFuture<'_, Result<(), String>> {
        self.call(id, Step::Settlement)
    }
}

/// The lists that name the charge, once for each time.
fn lists_with(report: &Report, id: TxId) -> Vec<&'static str> {
    let ok = report.ok.iter().filter(|of| **of == id).map(|_| "ok");
    let failed = report
        .failed
        .iter()
        .filter(|(of, _)| *of == id)
        .map(|_| "failed");
    let panicked = report
        .panicked
        .iter()
        .filter(|of| **of == id)
        .map(|_| "panicked");
    ok.chain(failed).chain(panicked).collect()
}

fn told(lists: &[&str]) -> String {
    match lists {
        [] => "and is in no list of the report: its customer waits, and nobody knows".into(),
        [list] => format!("but the report has it under `{list}`"),
        lists => format!("and is in the report {} times", lists.len()),
    }
}

fn where_in(lists: &[&str]) -> String {
    match lists {
        [] => "in no list".into(),
        lists => format!("in `{}`", lists.join("`, `")),
    }
}
