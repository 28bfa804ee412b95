//! `Office` plays the bank and the auditors' table, and writes one journal of what reached them. A row
//! counts when it is written, not when `record` is called. What is slow takes many minutes, longer than
//! any limit that somebody might think of. All on the paused clock.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::exercise::{Audit, Ledger, Receipt, charge};

#[test]
fn a_payment_with_a_receipt_has_one_audit_row() {
    lab::paused(|| async {
        let office = Office::default();
        let tx = random_tx();
        charge(tx, &office, &office).await;
        office.expect_one_row(tx, "");
    });
}

#[test]
fn the_row_is_in_the_table_before_the_customer_has_the_receipt() {
    lab::paused(|| async {
        let takes = many_minutes();
        let office = Office {
            row_takes: takes,
            ..Office::default()
        };
        let tx = random_tx();
        let start = Instant::now();
        charge(tx, &office, &office).await;
        let after = match start.elapsed() {
            Duration::ZERO => "at once".to_string(),
            time => format!("after {time:?}"),
        };
        office.expect_one_row(
            tx,
            &format!("; today a row takes {takes:?}, and the receipt came {after}"),
        );
    });
}

#[test]
fn every_payment_is_booked_once_and_its_receipt_says_where() {
    lab::paused(|| async {
        let office = Office {
            first_entry: lab::random().range(1_000..1_000_000),
            booking_takes: Duration::from_millis(lab::random().range(60_000..300_000)),
            ..Office::default()
        };
        let mut payments: Vec<u64> = (random_tx()..).take(5).collect();
        lab::random().shuffle(&mut payments);
        for (n, &tx) in payments.iter().enumerate() {
            let entry = office.first_entry + n as u64;
            lab::expect_eq(
                charge(tx, &office, &office).await,
                Receipt { tx, entry },
                format!("the receipt of payment {tx}"),
            );
        }
        let booked = office.journal(|event| matches!(event, Event::Booked(_)));
        let expected: Vec<_> = payments.into_iter().map(Event::Booked).collect();
        lab::expect_eq(
            booked,
            expected,
            "what the bank booked in five payments, one after another",
        );
        office.expect_nothing_broken_off();
    });
}

#[test]
fn no_row_is_written_of_a_payment_that_is_not_booked_yet() {
    lab::paused(|| async {
        let takes = many_minutes();
        let office = Office {
            booking_takes: takes,
            ..Office::default()
        };
        let tx = random_tx();
        charge(tx, &office, &office).await;
        office.expect_one_row(tx, "");
        let journal = office.journal(|_| true);
        if journal != [Event::Booked(tx), Event::Row(tx)] {
            lab::fail(format!(
                "the bank took {takes:?} to book payment {tx}, and the auditors found its row before \
                 that: had the bank refused, the row would be a lie"
            ))
            .expected(format!("{:?}", [Event::Booked(tx), Event::Row(tx)]))
            .seen(format!("{journal:?}"))
            .at(office.asked_for_a_row.lock().unwrap().as_ref())
            .raise();
        }
    });
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    Booked(u64),
    Row(u64),
}

#[derive(Default)]
struct Office {
    first_entry: u64,
    booking_takes: Duration,
    row_takes: Duration,
    journal: Mutex<Vec<Event>>,
    /// Which line of the exercise called `record`.
    asked_for_a_row: Mutex<Option<lab::Trail>>,
    requests: Mutex<Vec<Arc<lab::WatchState>>>,
}

impl Office {
    fn journal(&self, which: impl Fn(&Event) -> bool) -> Vec<Event> {
        let journal = self.journal.lock().unwrap();
        journal.iter().copied().filter(|e| which(e)).collect()
    }

    fn write(&self, event: Event) {
        self.journal.lock().unwrap().push(event);
    }

    fn expect_one_row(&self, tx: u64, circumstances: &str) {
        let rows = self.journal(|event| *event == Event::Row(tx)).len();
        let asked = self.asked_for_a_row.lock().unwrap();
        if rows != 1 {
            let found = match rows {
                0 if asked.is_none() => "no row of it: `record` was never called".to_string(),
                0 => "no row of it".to_string(),
                n => format!("{n} rows of it"),
            };
            lab::fail(format!(
                "the customer of payment {tx} holds the receipt, and the auditors find {found}{circumstances}"
            ))
            .expected("1 row")
            .seen(format!("{rows} rows"))
            .at(asked.as_ref())
            .raise();
        }
        drop(asked);
        self.expect_nothing_broken_off();
    }

    /// Who gives up a request half-way does not know whether it was done.
    fn expect_nothing_broken_off(&self) {
        for request in self.requests.lock().unwrap().iter() {
            if request.dropped_half_way() {
                lab::fail(
                    "a request was broken off half-way and made again: nobody knows whether the first \
                     one was done, and there may be two of it",
                )
                .at(request.dropped_at())
                .raise();
            }
        }
    }

    /// What the bank or the table does for one request.
    fn work<T>(&self, name: &str, work: impl Future<Output = T>) -> impl Future<Output = T> {
        let work = lab::watched(name, work);
        self.requests.lock().unwrap().push(work.state());
        work
    }
}

// Both calls note who made them and do nothing more before their future is polled: as an `async fn` does.
impl Ledger for Office {
    fn book(&self, tx: u64) -> impl Future<Output = u64> {
        let _ = lab::Trail::here();
        self.work("book", async move {
            pass(self.booking_takes).await;
            let booked = self.journal(|event| matches!(event, Event::Booked(_)));
            self.write(Event::Booked(tx));
            self.first_entry + booked.len() as u64
        })
    }
}

impl Audit for Office {
    fn record(&self, tx: u64) -> impl Future<Output = ()> {
        *self.asked_for_a_row.lock().unwrap() = Some(lab::Trail::here());
        self.work("record", async move {
            pass(self.row_takes).await;
            self.write(Event::Row(tx));
        })
    }
}

/// In three parts, so that one poll more than the first is not enough. No time at all: ready at once.
async fn pass(time: Duration) {
    if !time.is_zero() {
        for _ in 0..3 {
            sleep(time / 3).await;
        }
    }
}

/// Not so many that limits which double at every try would not reach them within the hour that a check has.
fn many_minutes() -> Duration {
    Duration::from_millis(lab::random().range(1_000_000..1_600_000))
}

fn random_tx() -> u64 {
    lab::random().range(1_000..1_000_000)
}
