//! `Busy` plays the database: it answers nobody before a given number of customers wait for it at the
//! same time, and it notes which thread each of them came with. No timers: a right fix waits for nothing.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use futures::future::BoxFuture;
use tokio::{sync::Barrier, task::JoinSet};

use crate::exercise::*;

#[test]
fn a_customer_gets_the_id_that_the_database_gave() {
    on_one_thread(|| async {
        let db = Busy::until(1);
        let user = db.users()[0];
        let res = charge(db.request_of(user), db.clone()).await;
        db.expect_answer(user, &res);
        db.expect_stored_once();
        if let Some(panic) = lab::Panics::seen().first() {
            lab::fail(format!(
                "customer {user} got the answer, after a panic: every charge puts one into the log, and \
                 wakes whoever is on call"
            ))
            .expected("no panic")
            .seen(&panic.message)
            .at(&panic.at)
            .raise();
        }
    });
}

#[test]
fn two_customers_wait_for_the_database_at_the_same_time() {
    on_one_thread(|| async {
        Busy::until(2).serve_all().await;
    });
}

#[test]
fn a_customer_who_waits_holds_no_thread() {
    on_one_thread(|| async {
        let db = Busy::until(many());
        db.serve_all().await;
        db.expect_threads_shared();
    });
}

#[test]
fn a_customer_who_waits_holds_no_worker_thread_either() {
    let setup = lab::Setup::workers(2).may_leave_running();
    setup.run(|| async {
        let db = Busy::until(many());
        db.serve_all().await;
        db.expect_threads_shared();
    });
}

fn on_one_thread<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    // A runtime for the database alone, kept for good, is heavy and right.
    lab::Setup::real_time().may_leave_running().run(body);
}

fn many() -> usize {
    lab::random().range(60..100) as usize
}

struct Busy {
    crowd: Barrier,
    /// Per user what is to be paid, and the id that the database gives.
    payments: HashMap<u64, (u64, String)>,
    stored: Mutex<Vec<(u64, u64)>>,
    came_with: Mutex<HashSet<ThreadId>>,
    asked: Mutex<Option<lab::Trail>>,
}

impl Busy {
    fn until(customers: usize) -> Arc<Busy> {
        let mut rng = lab::random();
        let first = rng.range(1_000..1_000_000);
        let payments = (0..customers as u64).map(|n| {
            let amount = 100 * rng.range(10..1_000);
            (first + n, (amount, format!("tx-{:x}", rng.u64())))
        });
        Arc::new(Busy {
            crowd: Barrier::new(customers),
            payments: payments.collect(),
            stored: Mutex::default(),
            came_with: Mutex::default(),
            asked: Mutex::default(),
        })
    }

    fn users(&self) -> Vec<u64> {
        self.payments.keys().copied().collect()
    }

    fn request_of(&self, user_id: u64) -> ChargeReq {
        ChargeReq {
            user_id,
            amount_krw: self.payments[&user_id].0,
        }
    }

    /// All customers come at once, each in a task of its own.
    async fn serve_all(self: &Arc<Self>) {
        let mut customers = JoinSet::new();
        for user in self.users() {
            let (req, db) = (self.request_of(user), self.clone());
            customers.spawn(async move { (user, charge(req, db).await) });
        }
        while let Some(customer) = customers.join_next().await {
            match customer {
                Ok((user, res)) => self.expect_answer(user, &res),
                Err(_) => lab::fail("a customer got a 500: the charge panicked").raise(),
            }
        }
        self.expect_stored_once();
    }

    fn expect_answer(&self, user: u64, res: &ChargeRes) {
        let tx_id = self.payments[&user].1.clone();
        let expected = ChargeRes { tx_id };
        lab::expect_eq(res, &expected, format!("the answer to customer {user}"));
    }

    fn expect_stored_once(&self) {
        let mut stored = self.stored.lock().unwrap().clone();
        stored.sort_unstable();
        let mut expected: Vec<_> = self.payments.iter().map(|(u, (a, _))| (*u, *a)).collect();
        expected.sort_unstable();
        lab::expect_eq(stored, expected, "the payments in the database (user, won)");
    }

    /// As many threads as customers is the one number that no shared pool reaches.
    fn expect_threads_shared(&self) {
        let customers = self.payments.len();
        let threads = self.came_with.lock().unwrap().len();
        if threads >= customers {
            lab::fail(format!(
                "{customers} customers waited for the database, and each one held a thread while \
                 waiting: thousands of customers would need thousands of threads"
            ))
            .expected(format!("fewer than {customers} threads"))
            .seen(format!("{threads} threads"))
            .at(self.asked.lock().unwrap().as_ref())
            .raise();
        }
    }
}

impl Db for Busy {
    fn persist(&self, user_id: u64, amount_krw: u64) -> BoxFuture<'_, String> {
        *self.asked.lock().unwrap() = Some(lab::Trail::here());
        Box::pin(async move {
            self.came_with
                .lock()
                .unwrap()
                .insert(thread::current().id());
            self.stored.lock().unwrap().push((user_id, amount_krw));
            self.crowd.wait().await;
            match self.payments.get(&user_id) {
                Some((_, tx_id)) => tx_id.clone(),
                None => format!("nobody is called {user_id}"),
            }
        })
    }
}
