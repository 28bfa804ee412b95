//! `Busy` plays the database: it answers nobody before a given number of customers wait for it at the
//! same time. Meanwhile it notes which threads look after them, how many there are in the whole process,
//! and how often a customer asks whether the answer is there. No timers: a right fix waits for nothing.

use std::collections::{HashMap, HashSet};
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use futures::future::BoxFuture;
use tokio::sync::{Barrier, Notify, Semaphore};
use tokio::task::{JoinSet, yield_now};

use crate::exercise::{ChargeReq, ChargeRes, Db, charge};

#[test]
fn a_customer_gets_the_id_that_the_database_gave() {
    on_one_thread(|| async {
        let db = Busy::until(1);
        let user = db.users()[0];
        db.serve_one().await;
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
        let db = Busy::until(2);
        db.serve_all().await;
        db.expect_asked_seldom();
    });
}

#[test]
fn a_customer_who_waits_holds_no_thread() {
    on_one_thread(|| async {
        // Whatever is made once, for all customers, is made now.
        Busy::until(1).serve_one().await;
        let db = Busy::until(many());
        db.serve_all().await;
        db.expect_threads_shared();
        // Without a thread for each, that is nothing.
        Busy::until(thousands()).serve_all().await;
    });
}

#[test]
fn a_customer_who_waits_holds_no_worker_thread_either() {
    let setup = lab::Setup::workers(2).may_leave_running();
    setup.run(|| async {
        Busy::until(1).serve_one().await;
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

fn thousands() -> usize {
    lab::random().range(2_000..2_500) as usize
}

/// How often everybody gets a turn while all customers wait.
const TURNS: usize = 200;

/// Threads of this process, where the system says.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

struct Busy {
    crowd: Barrier,
    all_wait: Notify,
    answers: Semaphore,
    /// Per user what is to be paid, and the id that the database gives.
    payments: HashMap<u64, (u64, String)>,
    stored: Mutex<Vec<(u64, u64)>>,
    looked_after_by: Mutex<HashSet<ThreadId>>,
    looks: AtomicUsize,
    /// How many threads there were more while all waited than before.
    held: AtomicUsize,
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
            all_wait: Notify::new(),
            answers: Semaphore::new(0),
            payments: payments.collect(),
            stored: Mutex::default(),
            looked_after_by: Mutex::default(),
            looks: AtomicUsize::new(0),
            held: AtomicUsize::new(0),
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

    async fn serve_one(self: &Arc<Self>) {
        self.answers.add_permits(1);
        let user = self.users()[0];
        let res = charge(self.request_of(user), self.clone()).await;
        self.expect_answer(user, &res);
        self.expect_stored_once();
    }

    /// When all customers wait: looks around, and answers.
    async fn answer_when_all_wait(self: Arc<Self>, threads_before: Option<usize>) {
        self.all_wait.notified().await;
        for _ in 0..TURNS {
            yield_now().await;
        }
        let more = threads().zip(threads_before);
        let more = more.map_or(0, |(now, before)| now.saturating_sub(before));
        self.held.store(more, SeqCst);
        self.answers.add_permits(self.payments.len());
    }

    /// All customers come at once, each in a task of its own.
    async fn serve_all(self: &Arc<Self>) {
        tokio::spawn(self.clone().answer_when_all_wait(threads()));
        let mut customers = JoinSet::new();
        for user in self.users() {
            let (req, db) = (self.request_of(user), self.clone());
            customers.spawn(async move { (user, charge(req, db).await) });
        }
        while let Some(customer) = customers.join_next().await {
            match customer {
                Ok((user, res)) => self.expect_answer(user, &res),
                Err(_) => lab::fail("a customer got a 500: the charge panicked")
                    .at(lab::Panics::seen().first().map(|panic| &panic.at))
                    .raise(),
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

    /// Two customers wait, and everybody has had many turns.
    fn expect_asked_seldom(&self) {
        let looks = self.looks.load(SeqCst);
        if looks >= TURNS {
            lab::fail(format!(
                "while the database worked, two customers asked it {looks} times whether the answer was \
                 there: their thread is busy with waiting"
            ))
            .at(self.asked.lock().unwrap().as_ref())
            .raise();
        }
    }

    /// A thread for each customer is far from what any shared pool needs.
    fn expect_threads_shared(&self) {
        let customers = self.payments.len();
        let threads = self.looked_after_by.lock().unwrap().len();
        let threads = threads.max(self.held.load(SeqCst));
        if threads >= customers / 2 {
            lab::fail(format!(
                "{customers} customers waited for the database, and {threads} threads were held while \
                 they waited: thousands of customers would need thousands of threads"
            ))
            .expected("no more threads for more customers")
            .seen(format!("{threads} threads for {customers} customers"))
            .at(self.asked.lock().unwrap().as_ref())
            .raise();
        }
    }
}

impl Db for Busy {
    fn persist(&self, user_id: u64, amount_krw: u64) -> BoxFuture<'_, String> {
        let mut asked = self.asked.lock().unwrap();
        asked.get_or_insert_with(lab::Trail::here);
        drop(asked);
        let mut stored = Box::pin(async move {
            self.stored.lock().unwrap().push((user_id, amount_krw));
            if self.crowd.wait().await.is_leader() {
                self.all_wait.notify_one();
            }
            self.answers.acquire().await.unwrap().forget();
            match self.payments.get(&user_id) {
                Some((_, tx_id)) => tx_id.clone(),
                None => format!("nobody is called {user_id}"),
            }
        });
        Box::pin(poll_fn(move |cx| {
            let me = thread::current().id();
            self.looked_after_by.lock().unwrap().insert(me);
            self.looks.fetch_add(1, SeqCst);
            stored.as_mut().poll(cx)
        }))
    }
}
