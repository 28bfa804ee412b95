// wrong: check_failed a_query_gets_the_answer_of_the_bank — an account is asked about once; whatever is paid in later is not seen
//! The bank gave us one modem line. In the morning every balance arrives; at noon, with more customers, half
//! of the queries answer `Busy`, yet the bank says it is never busy. Once a customer hung up in the middle of
//! a query, and from then on all were `Busy` until we restarted.
//! Keep as they are, the checks use them: `Query`, `Answer`, `Wire`, `Line::{new, query}`.

use std::collections::HashMap;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Mutex;
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
    wire: Mutex<Box<dyn Wire>>,
    known: std::sync::Mutex<HashMap<u64, Answer>>,
}

impl Line {
    pub fn new(wire: Box<dyn Wire>) -> Line {
        let wire = Mutex::new(wire);
        let known = std::sync::Mutex::default();
        Line { wire, known }
    }

    /// The bank's own answer. Callers take turns, in the order in which they came. One who goes away, at any
    /// moment, harms nobody else.
    pub async fn query(&self, query: Query) -> Answer {
        let mut wire = self.wire.lock().await;
        let account = query.account;
        let known = self.known.lock().unwrap().get(&account).cloned();
        if let Some(answer) = known {
            return answer;
        }
        let answer = wire.ask(query).await;
        self.known.lock().unwrap().insert(account, answer.clone());
        answer
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
