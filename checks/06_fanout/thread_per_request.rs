//! The backend counts who is with it and on which thread. It is driven by yields, not by time: so the first
//! check holds for handlers on threads too, and the others need no clock.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use futures::future::BoxFuture;
use tokio::sync::watch;
use tokio::task::yield_now;

use crate::exercise::{Backend, Req, Resp, serve};

#[test]
fn every_customer_gets_their_own_page() {
    lab::real_time(|| async {
        for customers in [0, 1, 40] {
            let sale = Sale::of(customers);
            sale.expect(serve(sale.requests(), sale.backend(Rule::LastComeFirstServed)).await);
        }
    });
}

#[test]
fn no_customer_waits_for_a_thread() {
    container(|| async {
        let sale = Sale::of(500);
        sale.expect(serve(sale.requests(), sale.backend(Rule::OneThread)).await);
    });
}

#[test]
fn all_customers_are_served_at_the_same_time() {
    container(|| async {
        let sale = Sale::of(lab::random().range(1_200..1_500));
        let backend = sale.backend(Rule::AllAtOnce);
        let (answers, ()) = tokio::join!(serve(sale.requests(), backend.clone()), backend.gather());
        sale.expect(answers);
    });
}

/// What the service runs in: one thread that drives it, and four more for work that blocks.
fn container<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::real_time().max_blocking_threads(4).run(body);
}

struct Sale {
    users: Vec<u64>,
    salt: u64,
}

#[derive(Clone, Copy)]
enum Rule {
    LastComeFirstServed,
    /// Whoever asks from another thread than the service's own has taken it from somebody.
    OneThread,
    /// Answers nobody before all are there.
    AllAtOnce,
}

struct Shop {
    rule: Rule,
    customers: usize,
    salt: u64,
    thread: ThreadId,
    came: AtomicUsize,
    inside: lab::Gauge,
    open: watch::Sender<bool>,
    telling: Mutex<()>,
}

impl Sale {
    fn of(customers: u64) -> Sale {
        let mut rng = lab::random();
        let first = rng.range(1_000..1_000_000);
        let mut users: Vec<u64> = (first..first + customers).collect();
        // Somebody has two tabs open.
        if let [one, other, ..] = &mut users[..] {
            *other = *one;
        }
        rng.shuffle(&mut users);
        let salt = rng.u64();
        Sale { users, salt }
    }

    fn requests(&self) -> Vec<Req> {
        self.users.iter().map(|&user| Req { user }).collect()
    }

    fn backend(&self, rule: Rule) -> Arc<Shop> {
        Arc::new(Shop {
            rule,
            customers: self.users.len(),
            salt: self.salt,
            thread: thread::current().id(),
            came: AtomicUsize::new(0),
            inside: lab::Gauge::new(),
            open: watch::Sender::new(false),
            telling: Mutex::new(()),
        })
    }

    fn expect(&self, answers: Vec<Resp>) {
        let asked = self.users.len();
        lab::expect_eq(answers.len(), asked, format!("answers to {asked} requests"));
        for (&user, answer) in self.users.iter().zip(&answers) {
            let page = page(user, self.salt);
            if *answer
                != (Resp {
                    user,
                    page: page.clone(),
                })
            {
                lab::fail(format!(
                    "customer {user} does not get the answer to their own request"
                ))
                .expected(page)
                .seen(format!("{answer:?}"))
                .raise();
            }
        }
    }
}

fn page(user: u64, salt: u64) -> String {
    format!(
        "page {:x} of customer {user}",
        salt.rotate_left(user as u32 % 64)
    )
}

impl Shop {
    /// Sees that all customers come. A right `serve` brings them within a few turns.
    async fn gather(&self) {
        for _ in 0..10_000 {
            if self.inside.now() == self.customers {
                self.open.send_replace(true);
                return;
            }
            yield_now().await;
        }
        let (inside, all) = (self.inside.now(), self.customers);
        lab::fail(format!(
            "{all} customers came at once, the backend can answer all of them, and {} wait outside",
            all - inside
        ))
        .expected(format!("{all} requests with the backend at the same time"))
        .seen(format!("{inside} requests"))
        .raise()
    }

    fn expect_own_thread(&self) {
        if thread::current().id() != self.thread {
            // One of them tells it, for all. The outermost line is the one that keeps the thread.
            let _telling = self.telling.lock();
            let mut lines = lab::Trail::here().places();
            lines.reverse();
            lab::fail(format!(
                "{} customers came at once, and while the backend works on a page the service holds \
                 another thread for it; it has 4 of those, and whatever blocks needs them too",
                self.customers
            ))
            .expected("requests that wait on no thread")
            .seen("a request that waits on a thread besides the one that drives the service")
            .at(lines)
            .raise();
        }
    }
}

impl Backend for Shop {
    fn page(&self, user: u64) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let _ = lab::Trail::here();
            let _inside = self.inside.enter();
            let came = self.came.fetch_add(1, SeqCst);
            match self.rule {
                Rule::LastComeFirstServed => {
                    for _ in came..self.customers {
                        yield_now().await;
                    }
                }
                Rule::OneThread => {
                    self.expect_own_thread();
                    yield_now().await;
                    self.expect_own_thread();
                }
                Rule::AllAtOnce => {
                    let _ = self.open.subscribe().wait_for(|open| *open).await;
                }
            }
            page(user, self.salt)
        })
    }
}
