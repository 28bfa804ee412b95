//! The shops' parser is played after a script: how long each file takes, how many rows it has, which one
//! crashes the parser. Time is virtual, so a file may take its time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::{Instant, sleep};

use crate::exercise::{CsvFile, Parse, Row, Summary, import};

#[test]
fn an_import_ends_and_has_every_row() {
    lab::paused(|| async {
        let mut shops = Shops::random(12);
        shops.last().takes = Duration::from_secs(60);
        shops.expect(shops.import(3).await);
    });
}

#[test]
fn the_rows_of_a_slow_shop_are_waited_for() {
    lab::paused(|| async {
        let mut shops = Shops::random(6);
        let minutes = lab::random().range(6..10);
        let slow = Duration::from_secs(60 * minutes);
        shops.last().takes = slow;
        // A chain with many shops: no queue is to have room for all its rows.
        let mut others = shops.scripts.iter_mut();
        let chain = others.find(|script| script.takes < slow);
        chain.expect("one is slow, five are not").won = vec![minutes; 12_000];
        shops.expect(shops.import(2).await);
    });
}

#[test]
fn an_import_of_no_files_ends() {
    lab::paused(|| async {
        let shops = Shops::random(0);
        shops.expect(shops.import(3).await);
        shops.expect_prompt();
    });
}

#[test]
fn a_file_that_crashes_its_parser_costs_that_file_only() {
    lab::paused(|| async {
        let mut early = Shops::random(8);
        early.scripts[0].takes = Duration::from_millis(5);
        early.scripts[0].crashes = true;
        early.expect(early.import(3).await);

        let mut late = Shops::random(8);
        let last = late.last();
        (last.takes, last.crashes) = (Duration::from_secs(60), true);
        late.expect(late.import(1).await);

        let mut often = Shops::random(8);
        for script in &mut often.scripts[1..4] {
            script.crashes = true;
        }
        often.expect(often.import(2).await);
    });
}

#[test]
fn the_summary_does_not_come_long_after_the_last_row() {
    lab::paused(|| async {
        let shops = Shops::random(9);
        shops.expect(shops.import(3).await);
        shops.expect_prompt();
    });
}

#[test]
fn as_many_files_as_workers_are_parsed_at_once() {
    lab::paused(|| async {
        let workers = lab::random().range(2..6) as usize;
        let shops = Shops::random(20);
        shops.expect(shops.import(workers).await);
        let most = shops.seen.at_once.peak();
        if most != workers {
            lab::fail(format!(
                "20 files were waiting and the parsers of {workers} workers were paid for; at most {most} \
                 ran at the same time"
            ))
            .expected(format!("{workers} files at once"))
            .seen(format!("{most} files at once"))
            .raise();
        }
    });
}

/// How one file behaves.
#[derive(Clone)]
struct Script {
    name: String,
    takes: Duration,
    won: Vec<u64>,
    crashes: bool,
}

#[derive(Clone)]
struct Shops {
    scripts: Vec<Script>,
    seen: Arc<Seen>,
}

struct Seen {
    at_once: lab::Gauge,
    parsed: Mutex<Vec<String>>,
    ended: Mutex<Instant>,
}

impl Seen {
    /// When the last file was parsed; without any, when the import began.
    fn last_row(&self) -> Instant {
        *self.ended.lock().unwrap()
    }
}

impl Shops {
    fn random(files: usize) -> Shops {
        let mut rng = lab::random();
        let scripts = (0..files).map(|n| Script {
            name: format!("shop-{:x}.csv", rng.u64()),
            takes: Duration::from_millis(rng.range(10..2_000)),
            // More than any sensible channel holds, and sometimes none at all.
            won: (0..[300, 0, 40, 700, 1][n % 5])
                .map(|_| rng.range(1..100_000))
                .collect(),
            crashes: false,
        });
        Shops {
            scripts: scripts.collect(),
            seen: Arc::new(Seen {
                at_once: lab::Gauge::new(),
                parsed: Mutex::default(),
                ended: Mutex::new(Instant::now()),
            }),
        }
    }

    /// One of them. Given a longer time than all others together it ends last, with rows still to send.
    fn last(&mut self) -> &mut Script {
        let mut rng = lab::random();
        let picked = rng.range(0..self.scripts.len());
        let script = &mut self.scripts[picked];
        script.won = (0..40).map(|_| rng.range(1..100_000)).collect();
        script
    }

    async fn import(&self, workers: usize) -> Summary {
        let files = self.scripts.iter().map(|script| CsvFile {
            name: script.name.clone(),
            // Says nothing of the number of rows.
            text: "won\n1000\n".to_string(),
        });
        import(files.collect(), workers, Arc::new(self.clone())).await
    }

    fn expect(&self, summary: Summary) {
        let whole = self.scripts.iter().filter(|script| !script.crashes);
        let won: Vec<u64> = whole.flat_map(|script| script.won.clone()).collect();
        let expected = Summary {
            rows: won.len(),
            won: won.iter().sum(),
            crashed: self.scripts.iter().filter(|script| script.crashes).count(),
        };
        if summary != expected {
            lab::fail(self.story(&summary, &expected))
                .expected(format!("{expected:?}"))
                .seen(format!("{summary:?}"))
                .raise();
        }
        let mut parsed = self.seen.parsed.lock().unwrap().clone();
        let mut names: Vec<_> = self.scripts.iter().map(|script| &script.name).collect();
        parsed.sort();
        names.sort();
        lab::expect(
            parsed.iter().eq(names),
            "a file was parsed twice, or not at all",
        );
    }

    /// Some seconds are granted to whoever looks now and then.
    fn expect_prompt(&self) {
        let late = self.seen.last_row().elapsed();
        if late > Duration::from_secs(5) {
            lab::fail("the last row is in, and whoever waits for the summary still waits")
                .expected("the summary as soon as all rows are counted")
                .seen(format!("the summary {late:?} later"))
                .raise();
        }
    }

    fn story(&self, summary: &Summary, expected: &Summary) -> String {
        let files = self.scripts.len();
        let lost = expected.rows.saturating_sub(summary.rows);
        if lost > 0 {
            format!("the import of {files} files says that it is done, and {lost} rows are missing")
        } else if summary.crashed != expected.crashed {
            format!("the import of {files} files says that it is done, and hides what crashed")
        } else {
            format!("the import of {files} files says that it is done, and its figures are wrong")
        }
    }
}

impl Parse for Shops {
    fn parse<'a>(&'a self, file: &'a CsvFile) -> BoxFuture<'a, Vec<Row>> {
        Box::pin(async {
            let _ = lab::Trail::here();
            let _running = self.seen.at_once.enter();
            let script = self.scripts.iter().find(|script| script.name == file.name);
            let script = script.expect("files keep their names");
            self.seen.parsed.lock().unwrap().push(file.name.clone());
            sleep(script.takes).await;
            *self.seen.ended.lock().unwrap() = Instant::now();
            assert!(!script.crashes, "{} is not a CSV file", file.name);
            script.won.iter().copied().map(Row).collect()
        })
    }
}
