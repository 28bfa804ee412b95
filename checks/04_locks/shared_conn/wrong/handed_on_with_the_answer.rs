// wrong: hung:waiting a_customer_who_hangs_up_leaves_the_line_to_others — the wire is free after a hang-up, for whoever comes next; those who wait already are not called
//! The bank gave us one modem line. In the morning every balance arrives; at noon, with more customers, half
//! of the queries answer `Busy`, yet the bank says it is never busy. Once a customer hung up in the middle of
//! a query, and from then on all were `Busy` until we restarted.
//! Keep as they are, the checks use them: `Query`, `Answer`, `Wire`, `Line::{new, query}`.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{Mutex as Turn, oneshot};
use tokio::time::{sleep, timeout};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub account: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Balance(i64),
    Busy,
}

/// The modem. It carries one query at a time, until that is answered or its future is dropped.
pub trait Wire: Send {
    fn ask(&mut self, query: Query) -> BoxFuture<'_, Answer>;
}

pub struct Line {
    /// Tokio's Mutex: this guard shall live over an `.await`. What it protects is not data but a conversation, and
    /// nobody may interrupt between question and answer. For data, the standard one is the better choice.
    wire: Turn<Box<dyn Wire>>,
    turns: Mutex<Turns>,
}

impl Line {
    pub fn new(wire: Box<dyn Wire>) -> Line {
        let wire = Turn::new(wire);
        let turns = Mutex::default();
        Line { wire, turns }
    }

    /// The bank's own answer. Callers take turns, in the order in which they came. One who goes away, at any
    /// moment, harms nobody else.
    pub async fn query(&self, query: Query) -> Answer {
        let called = self.turns.lock().unwrap().come();
        let mut waits = Waits {
            turns: &self.turns,
            called,
        };
        if let Some(called) = &mut waits.called {
            let _ = called.await;
        }
        waits.called = None;
        let mut asks = Asks {
            turns: &self.turns,
            answered: false,
        };
        let answer = self.wire.lock().await.ask(query).await;
        asks.answered = true;
        answer
    }
}

#[derive(Default)]
struct Turns {
    taken: bool,
    queue: VecDeque<oneshot::Sender<()>>,
}

impl Turns {
    fn come(&mut self) -> Option<oneshot::Receiver<()>> {
        if !self.taken {
            self.taken = true;
            return None;
        }
        let (call, called) = oneshot::channel();
        self.queue.push_back(call);
        Some(called)
    }

    fn next(&mut self) {
        while let Some(call) = self.queue.pop_front() {
            if call.send(()).is_ok() {
                return;
            }
        }
        self.taken = false;
    }
}

struct Waits<'a> {
    turns: &'a Mutex<Turns>,
    called: Option<oneshot::Receiver<()>>,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        if let Some(called) = &mut self.called {
            called.close();
            if called.try_recv().is_ok() {
                self.turns.lock().unwrap().next();
            }
        }
    }
}

struct Asks<'a> {
    turns: &'a Mutex<Turns>,
    answered: bool,
}

impl Drop for Asks<'_> {
    fn drop(&mut self) {
        let mut turns = self.turns.lock().unwrap();
        match self.answered {
            true => turns.next(),
            false => turns.taken = false,
        }
    }
}

struct Modem(&'static str);

impl Wire for Modem {
    fn ask(&mut self, query: Query) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            println!("{} asks about account {}", self.0, query.account);
            sleep(Duration::from_millis(100)).await;
            Answer::Balance(1_000 * query.account as i64)
        })
    }
}

#[tokio::main]
async fn main() {
    let line = Line::new(Box::new(Modem("modem")));
    let query = |account| line.query(Query { account });
    println!("alone:   {:?}", query(1).await);
    println!("at noon: {:?}", tokio::join!(query(2), query(3)));
    let hung_up = timeout(Duration::from_millis(10), query(4)).await;
    println!("hung up: {hung_up:?}");
    println!("later:   {:?}", query(5).await);
}
