//! `Rows` counts how many rows the loop takes between two turns of a heartbeat on the same thread, and wakes
//! the heartbeat with every row. Rows that another thread takes starve nobody here; that the heartbeat is
//! alive meanwhile is asked once, at a gate. Real clock, and no timer: a plain thread is a right fix.

use std::collections::VecDeque;
use std::future::{Future, Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::ThreadId;

use tokio::sync::Notify;

use crate::exercise::{Row, RowSource, reconcile};

#[test]
fn the_total_is_right_to_the_last_row() {
    on_one_thread(|| async {
        let sizes = [0, 1, 8, lab::random().range(500..700)];
        for rows in sizes {
            let (source, expected) = Rows::random(rows, Judge::Nothing);
            let seen = reconcile(source).await;
            lab::expect_eq(
                seen,
                expected,
                format!("the won by which the two sides differ, in a day of {rows} payments"),
            );
        }
    });
}

#[test]
fn it_gives_way_once_in_8_rows_at_most() {
    on_one_thread(|| async {
        let (source, _) = Rows::random(lab::random().range(4_000..6_000), Judge::Rare);
        let heartbeat = source.heart.start();
        reconcile(source).await;
        heartbeat.abort();
    });
}

#[test]
fn the_heartbeat_gets_a_turn_within_1024_rows() {
    on_one_thread(|| async {
        let (source, expected) = Rows::random(lab::random().range(16_000..24_000), Judge::Turn);
        let heartbeat = source.heart.start();
        let seen = reconcile(source).await;
        heartbeat.abort();
        lab::expect_eq(
            seen,
            expected,
            "the won by which the two sides differ, beside a heartbeat",
        );
    });
}

#[derive(Clone, Copy, PartialEq)]
enum Judge {
    Nothing,
    Turn,
    Rare,
}

struct Rows {
    rows: VecDeque<Row>,
    heart: Arc<Heart>,
}

struct Heart {
    judge: Judge,
    /// The thread that the heartbeat shares with the loop, unless the loop moves away.
    thread: ThreadId,
    beat: Notify,
    woken: AtomicBool,
    turns: AtomicU64,
    rows: AtomicU64,
    rows_since_turn: AtomicU64,
    asked_elsewhere: AtomicBool,
    alive: lab::Gate,
}

impl RowSource for Rows {
    fn next_row(&mut self) -> Ready<Option<Row>> {
        let row = self.rows.pop_front();
        if row.is_some() {
            self.heart.row();
        }
        ready(row)
    }
}

impl Rows {
    fn random(rows: usize, judge: Judge) -> (Rows, u64) {
        let mut rng = lab::random();
        let rows: VecDeque<Row> = (0..rows)
            .map(|_| Row {
                charged: rng.range(0..1_000_000),
                settled: rng.range(0..1_000_000),
            })
            .collect();
        let difference = |row: &Row| row.charged.max(row.settled) - row.charged.min(row.settled);
        let expected = rows.iter().map(difference).sum();
        let heart = Heart {
            judge,
            thread: std::thread::current().id(),
            beat: Notify::new(),
            woken: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            rows_since_turn: AtomicU64::new(0),
            asked_elsewhere: AtomicBool::new(false),
            alive: lab::Gate::new(),
        };
        let source = Rows {
            rows,
            heart: Arc::new(heart),
        };
        (source, expected)
    }
}

impl Heart {
    fn start(self: &Arc<Self>) -> tokio::task::JoinHandle<()> {
        let heart = self.clone();
        tokio::spawn(async move {
            loop {
                heart.beat.notified().await;
                heart.turn();
            }
        })
    }

    fn row(&self) {
        if self.rows.fetch_add(1, SeqCst) == 0 {
            // For a failure where no line of the learner's calls: in the heartbeat, or after the loop.
            let _ = lab::Trail::here();
        }
        if std::thread::current().id() == self.thread {
            self.row_beside_the_heartbeat();
        } else if self.judge == Judge::Turn && !self.asked_elsewhere.swap(true, SeqCst) {
            self.wake();
            self.alive.wait();
        }
    }

    fn row_beside_the_heartbeat(&self) {
        let rows = self.rows_since_turn.fetch_add(1, SeqCst) + 1;
        if self.judge == Judge::Turn && rows > 1_024 {
            lab::fail(format!(
                "{rows} rows in a row, and the heartbeat on the same thread, ready since the first of \
                 them, had no turn: the pod is taken for dead"
            ))
            .expected("a turn for the others at least once in 1,024 rows")
            .seen(format!("{rows} rows without one"))
            .at(lab::Trail::here())
            .raise();
        }
        self.wake();
    }

    /// Once a turn: a second wake-up would be kept, and make a second turn of it.
    fn wake(&self) {
        if !self.woken.swap(true, SeqCst) {
            self.beat.notify_one();
        }
    }

    fn turn(&self) {
        self.woken.store(false, SeqCst);
        if self.asked_elsewhere.load(SeqCst) {
            self.alive.open();
        }
        self.rows_since_turn.store(0, SeqCst);
        let turns = self.turns.fetch_add(1, SeqCst) + 1;
        let rows = self.rows.load(SeqCst);
        if self.judge == Judge::Rare && 8 * turns > rows + 128 {
            lab::fail(format!(
                "after {rows} rows the loop has given way {turns} times, which costs more than the rows: \
                 the job is not done when the shops open"
            ))
            .expected(format!("at most {} times, once in 8 rows", rows / 8))
            .seen(format!("{turns} times"))
            .raise();
        }
    }
}

/// Somebody's own thread for the loop may still be on its way out.
fn on_one_thread<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::real_time().may_leave_running().run(body);
}
