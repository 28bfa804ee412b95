//! A hundred requests, one every 20 ms. Each reads from the database (10 ms, it waits), makes a thumbnail (5 ms, it holds
//! the thread), and asks the card company, which every fourth customer gives up on after 2 ms. The rows by category are what
//! the meter under test says of them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lab::incident::{Answer, Better, Incident, at_work};
use tokio::time::{sleep, timeout};

use crate::exercise::{Clock, Sample, Sink, metered, quantile};

struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[derive(Default)]
struct Board(Mutex<Vec<Sample>>);

impl Sink for Board {
    fn record(&self, sample: Sample) {
        self.0.lock().unwrap().push(sample);
    }
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn calls_by_category() {
    Incident::one_thread("requests").run(|measured| async move {
        let clock = Arc::new(Wall(Instant::now()));
        let board = Arc::new(Board::default());
        let request = |n: u64| {
            let (clock, board) = (clock.clone(), board.clone());
            async move {
                metered(
                    "database",
                    clock.clone(),
                    board.clone(),
                    ms(4),
                    sleep(ms(10)),
                )
                .await;
                let resize = async {
                    let _at_work = at_work("resize");
                    std::thread::sleep(ms(5));
                };
                metered("thumbnail", clock.clone(), board.clone(), ms(4), resize).await;
                let card = metered("card", clock, board, ms(4), sleep(ms(6)));
                let patience = if n.is_multiple_of(4) {
                    ms(2)
                } else {
                    ms(1_000)
                };
                let _ = timeout(patience, card).await;
                Answer::Done
            }
        };
        measured.at_pace(100, ms(20), request).await;
        let board = board.0.lock().unwrap();
        for category in ["database", "thumbnail", "card"] {
            let samples: Vec<&Sample> = board
                .iter()
                .filter(|sample| sample.cat == category)
                .collect();
            let p50 = |take: fn(&Sample) -> Duration| {
                let times: Vec<Duration> = samples.iter().map(|sample| take(sample)).collect();
                quantile(&times, 0.5).as_secs_f64() * 1_000.0
            };
            let polls: u32 = samples.iter().map(|sample| sample.polls).sum();
            let given_up = samples.iter().filter(|sample| !sample.completed).count();
            let slow: u32 = samples.iter().map(|sample| sample.slow_polls).sum();
            let mut row = |what: &str, value: f64, unit| {
                measured.figure(format!("{category}: {what}"), value, unit, Better::Neither);
            };
            row("calls", samples.len() as f64, "");
            row("given up", given_up as f64, "");
            row(
                "polls a call",
                f64::from(polls) / samples.len().max(1) as f64,
                "",
            );
            row("p50 wall", p50(|sample| sample.wall), "ms");
            row("p50 busy", p50(|sample| sample.busy), "ms");
            row("slow polls", f64::from(slow), "");
        }
    });
}
