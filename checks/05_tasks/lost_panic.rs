//! `Book` plays the receipt and settlement services after a script: what becomes of each charge, at
//! which step, and how long its receipt takes.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep};

use crate::exercise::{Report, Steps, TxId, run_after_charge};

/// All on the paused clock. A supervisor, or a runtime, for every batch to come may live on.
fn the_service<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    let day = Duration::from_secs(24 * 60 * 60);
    let setup = lab::Setup::paused().deadline(day);
    setup.may_leave_running().run(body);
}

#[test]
fn every_charge_gets_its_receipt_and_its_settlement() {
    the_service(|| async {
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
    the_service(|| async {
        for step in [Step::Receipt, Step::Settlement] {
            let (ids, book) = batch(1, |_| Fate::Fails(step));
            let report = run_after_charge(ids.clone(), book.clone()).await;
            book.expect_truth(&report);
        }
    });
}

#[test]
fn every_outcome_stands_under_its_own_charge() {
    the_service(|| async {
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
    the_service(|| async {
        let (ids, book) = batch(1, |_| Fate::Panics(Step::Receipt, Bug::Formats));
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn a_panic_is_reported_whatever_it_carries() {
    the_service(|| async {
        for bug in [Bug::Says, Bug::Carries] {
            let (ids, book) = batch(1, |_| Fate::Panics(Step::Receipt, bug));
            let report = run_after_charge(ids, book.clone()).await;
            book.expect_truth(&report);
        }
    });
}

#[test]
fn a_panic_takes_no_other_charge_along() {
    the_service(|| async {
        let fates = [
            Fate::Well,
            Fate::Panics(Step::Receipt, Bug::Formats),
            Fate::Fails(Step::Receipt),
            Fate::Panics(Step::Settlement, Bug::Says),
            Fate::Fails(Step::Settlement),
        ];
        let (ids, book) = batch(25, |n| fates[n % fates.len()]);
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn a_step_that_panics_before_its_future_is_reported() {
    the_service(|| async {
        let fates = [
            Fate::Well,
            Fate::Panics(Step::Receipt, Bug::InTheCall),
            Fate::Panics(Step::Settlement, Bug::InTheCall),
        ];
        let (ids, book) = batch(3, |n| fates[n]);
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn panics_at_the_same_instant_are_all_reported() {
    the_service(|| async {
        let fate = |n| match n % 2 {
            0 => Fate::Panics(Step::Receipt, Bug::Says),
            _ => Fate::Well,
        };
        let (ids, book) = batch_that_takes(200, fate, |_| Duration::from_millis(500));
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn a_slow_receipt_is_waited_for() {
    the_service(|| async {
        let fates = [
            Fate::Well,
            Fate::Fails(Step::Receipt),
            Fate::Panics(Step::Receipt, Bug::Says),
        ];
        let takes = |n| match n < fates.len() {
            true => Duration::from_secs(30 * 60),
            false => Duration::from_millis(200),
        };
        let (ids, book) = batch_that_takes(6, |n| fates[n % fates.len()], takes);
        let report = run_after_charge(ids, book.clone()).await;
        book.expect_truth(&report);
    });
}

#[test]
fn no_step_runs_twice() {
    the_service(|| async {
        let (ids, book) = batch(6, |n| match n % 2 {
            0 => Fate::Panics(Step::Settlement, Bug::Formats),
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
    the_service(|| async {
        let n = lab::random().range(1_000..1_100_usize);
        let (ids, book) =
            batch_that_takes(n, |_| Fate::Well, |i| Duration::from_secs(1 + i as u64 % 5));
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
    Panics(Step, Bug),
}

/// All but the first and the last pass on the panic of a task that they waited for. No hook sees that again: a hundred
/// stacks would be dear.
#[derive(Debug, Clone, Copy)]
enum Bug {
    /// Panics with a text made of parts: a `String`.
    Formats,
    /// With a text as it stands in the code: a `&str`.
    Says,
    /// With a value that is no text.
    Carries,
    /// Panics when the step is called, so that there never is a future.
    InTheCall,
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
    /// Whose clock the receipts take their time by, wherever the steps run.
    clock: Handle,
}

/// A batch of `n` charges; the earlier one stands in the batch, the longer its receipt takes.
fn batch(n: usize, fate: impl Fn(usize) -> Fate) -> (Vec<TxId>, Arc<Book>) {
    let jitter = lab::random().range(0..10);
    let takes = |i| Duration::from_millis(30 * (n - i) as u64 + jitter);
    batch_that_takes(n, fate, takes)
}

fn batch_that_takes(
    n: usize,
    fate: impl Fn(usize) -> Fate,
    takes: impl Fn(usize) -> Duration,
) -> (Vec<TxId>, Arc<Book>) {
    let mut rng = lab::random();
    let first = rng.range(1_000..1_000_000);
    let mut ids: Vec<_> = (0..n as u64).map(|i| TxId(first + 7 * i)).collect();
    rng.shuffle(&mut ids);

    let mut script = BTreeMap::new();
    for (i, id) in ids.iter().enumerate() {
        let printer = rng.range(1..1_000);
        let reason = match i % 4 {
            0 | 1 => format!("printer {printer} is out of paper"),
            2 => format!("the driver of printer {printer} panicked, and was started again"),
            _ => format!("task {printer} was cancelled"),
        };
        let line = Line {
            fate: fate(i),
            takes: takes(i),
            reason,
        };
        script.insert(*id, line);
    }
    let book = Book {
        script,
        calls: Mutex::default(),
        in_flight: lab::Gauge::new(),
        clock: Handle::current(),
    };
    (ids, Arc::new(book))
}

impl Line {
    /// The list where the charge belongs, and what became of it.
    fn truth(&self) -> (&'static str, String) {
        let (list, fate) = match self.fate {
            Fate::Well => ("ok", "went well".into()),
            Fate::Fails(_) => (
                "failed",
                format!(
                    "had a step that answered with an error, \"{}\"",
                    self.reason
                ),
            ),
            Fate::Panics(_, bug) => ("panicked", bug.story().into()),
        };
        let minutes = self.takes.as_secs() / 60;
        match minutes {
            0..10 => (list, fate),
            _ => (list, format!("{fate} after {minutes} minutes")),
        }
    }

    fn crash(&self, id: TxId, bug: Bug) -> ! {
        match bug {
            Bug::Formats | Bug::InTheCall => panic!("charge {}: {}", id.0, self.reason),
            Bug::Says => resume_unwind(Box::new("no paper is left")),
            Bug::Carries => resume_unwind(Box::new(id)),
        }
    }
}

impl Bug {
    fn story(self) -> &'static str {
        match self {
            Bug::Formats | Bug::Says => "had a step that panicked",
            Bug::Carries => "had a step that panicked with a value that is no text",
            Bug::InTheCall => "had a step that panicked when it was called",
        }
    }
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
            let (list, fate) = line.truth();
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
        let mut calls = self.calls.lock().unwrap();
        // For failures without a panic. Any call will do, and a thousand are dear.
        if calls.len() < 100 {
            let _called_at = lab::Trail::here();
        }
        calls.push((id, step));
        drop(calls);
        let line = &self.script[&id];
        if let Fate::Panics(at, bug @ Bug::InTheCall) = line.fate
            && at == step
        {
            line.crash(id, bug);
        }
        Box::pin(async move {
            let _in_flight = self.in_flight.enter();
            if step == Step::Receipt {
                self.pass(line.takes).await;
            }
            match line.fate {
                Fate::Fails(at) if at == step => Err(line.reason.clone()),
                Fate::Panics(at, bug) if at == step => line.crash(id, bug),
                _ => Ok(()),
            }
        })
    }

    fn pass(&self, time: Duration) -> Sleep {
        let _here = self.clock.enter();
        sleep(time)
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
