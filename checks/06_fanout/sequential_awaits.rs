//! `Fakes` plays both services after a script: what each answers, and how long it takes, in three parts: one
//! poll more than the first is not enough. A service counts as asked when its future is first polled, and the
//! line that polled it is the one that a failure names.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

use crate::exercise::{ApiError, Order, OrderApi, User, UserApi, UserDetails, user_details};

#[test]
fn the_page_has_the_user_and_the_orders() {
    lab::real_time(|| async {
        for _ in 0..3 {
            let fakes = Arc::new(Fakes::random());
            let page = fakes.page().await;
            fakes.expect_page(&page);
        }
    });
}

#[test]
fn no_thread_is_held_while_a_service_answers() {
    lab::real_time(|| async {
        let fakes = Arc::new(Fakes::random());
        let _ = fakes.page().await;
        let here = thread::current().id();
        for asked in fakes.asked() {
            if asked.on != here {
                lab::fail(format!(
                    "while the {} answered, a thread besides the service's own was held for it: a \
                     thousand customers would hold a thousand threads, or wait for one",
                    asked.service
                ))
                .at(&asked.trail)
                .raise();
            }
        }
    });
}

#[test]
fn the_page_takes_as_long_as_the_slower_service() {
    lab::paused(|| async {
        let (quick, slow) = (random_time(1_000..3_000), random_time(4_000..9_000));
        for (users, orders) in [(quick, slow), (slow, quick)] {
            let fakes = Arc::new(Fakes::random().taking(users, orders));
            let start = Instant::now();
            let page = fakes.page().await;
            let took = start.elapsed();
            fakes.expect_page(&page);
            if took > slow + Duration::from_millis(1) {
                lab::fail(format!(
                    "the {USERS} answered in {users:?}, the {ORDERS} in {orders:?}, and the customer \
                     saw the page after {took:?}"
                ))
                .expected(format!("{slow:?}, as long as the slower one"))
                .seen(format!("{took:?}"))
                .at(fakes.asked().last().map(|asked| &asked.trail))
                .raise();
            }
        }
    });
}

#[test]
fn the_error_of_a_service_is_the_answer() {
    lab::paused(|| async {
        for (users_fail, orders_fail) in [(true, false), (false, true), (true, true)] {
            let fakes = Fakes::random().failing(users_fail, orders_fail);
            let fakes = Arc::new(fakes.taking(random_time(10..500), random_time(10..500)));
            let answer = fakes.page().await;
            let errors = fakes.errors();
            if !matches!(&answer, Err(error) if errors.contains(error)) {
                let told = errors.iter().map(|error| format!("{:?}", error.0));
                let told = told.collect::<Vec<_>>().join(" or ");
                lab::fail(format!(
                    "a service could not answer ({told}), and the app is not told what went wrong"
                ))
                .expected(format!("the error {told}"))
                .seen(format!("{answer:?}"))
                .raise();
            }
        }
    });
}

#[test]
fn each_service_is_asked_once_whatever_it_answers() {
    lab::paused(|| async {
        let fates = [(false, false), (true, false), (false, true)];
        for (users_fail, orders_fail) in fates {
            let fakes = Fakes::random().failing(users_fail, orders_fail);
            let fakes = Arc::new(fakes.taking(random_time(10..500), random_time(10..500)));
            let _ = fakes.page().await;
            for service in [USERS, ORDERS] {
                let mut asked = fakes.asked();
                asked.retain(|asked| asked.service == service);
                // An error of the other service may come first, and then this one is not needed.
                if asked.len() > 1 {
                    lab::fail(format!(
                        "for one page the {service} was asked {} times: it carries twice the load",
                        asked.len()
                    ))
                    .expected("1 request")
                    .seen(format!("{} requests", asked.len()))
                    .at(asked.last().map(|asked| &asked.trail))
                    .raise();
                }
            }
        }
    });
}

#[test]
fn many_customers_hold_no_threads() {
    lab::real_time(|| async {
        let fakes = || Arc::new(Fakes::random().taking_turns());
        // Whatever is made once, for all customers, is made now.
        let _ = fakes().page().await;
        let before = threads();
        let customers: Vec<_> = (0..CUSTOMERS).map(|_| fakes()).collect();
        let pages = join_all(customers.iter().map(Fakes::page)).await;
        for (fakes, page) in customers.iter().zip(&pages) {
            fakes.expect_page(page);
        }
        let most = customers
            .iter()
            .map(|fakes| fakes.most_threads.load(SeqCst));
        let most = most.max().unwrap_or_default();
        let more = before.map_or(0, |before| most.saturating_sub(before));
        if more >= CUSTOMERS / 2 {
            lab::fail(format!(
                "{CUSTOMERS} customers waited for their pages, and {more} threads were held while they \
                 waited: a thousand customers would hold a thousand threads, or wait for one"
            ))
            .expected("no more threads for more customers")
            .seen(format!("{more} threads for {CUSTOMERS} customers"))
            .at(customers[0].asked().last().map(|asked| &asked.trail))
            .raise();
        }
    });
}

const CUSTOMERS: usize = 40;

/// Threads of this process, where the system says.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

const USERS: &str = "user service";
const ORDERS: &str = "order service";

#[derive(Clone)]
struct Asked {
    service: &'static str,
    id: u64,
    on: ThreadId,
    trail: lab::Trail,
}

struct Fakes {
    user: Result<User, ApiError>,
    orders: Result<Vec<Order>, ApiError>,
    id: u64,
    users_take: Duration,
    orders_take: Duration,
    /// How often a service lets everybody else go on before it answers, and counts the threads.
    turns: usize,
    most_threads: AtomicUsize,
    asked: Mutex<Vec<Asked>>,
}

impl Fakes {
    /// Answers at once, and well.
    fn random() -> Fakes {
        let mut rng = lab::random();
        let id = rng.range(1_000..1_000_000);
        let name = format!("User{:x}", rng.u64());
        let orders = (0..rng.range(1..5)).map(|n| Order {
            item: format!("item {n}-{:x}", rng.u64()),
            price: rng.range(1..1_000),
        });
        Fakes {
            orders: Ok(orders.collect()),
            user: Ok(User { id, name }),
            id,
            users_take: Duration::ZERO,
            orders_take: Duration::ZERO,
            turns: 0,
            most_threads: AtomicUsize::new(0),
            asked: Mutex::default(),
        }
    }

    fn taking(self, users_take: Duration, orders_take: Duration) -> Fakes {
        Fakes {
            users_take,
            orders_take,
            ..self
        }
    }

    fn taking_turns(self) -> Fakes {
        Fakes { turns: 20, ..self }
    }

    fn failing(mut self, users: bool, orders: bool) -> Fakes {
        let reason = |service| ApiError(format!("{service}: {:x}", lab::random().u64()));
        if users {
            self.user = Err(reason(USERS));
        }
        if orders {
            self.orders = Err(reason(ORDERS));
        }
        self
    }

    async fn page(self: &Arc<Self>) -> Result<UserDetails, ApiError> {
        user_details(self.id, self.clone(), self.clone()).await
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn errors(&self) -> Vec<ApiError> {
        let errors = [self.user.clone().err(), self.orders.clone().err()];
        errors.into_iter().flatten().collect()
    }

    fn expect_page(&self, page: &Result<UserDetails, ApiError>) {
        let expected = Ok(UserDetails {
            user: self.user.clone().unwrap(),
            orders: self.orders.clone().unwrap(),
        });
        lab::expect_eq(page, &expected, format!("the page of user {}", self.id));
        for asked in self.asked() {
            let what = format!("whom the {} was asked for", asked.service);
            lab::expect_eq(asked.id, self.id, what);
        }
    }

    async fn ask<T: Clone>(
        &self,
        asked: Asked,
        takes: Duration,
        answer: &Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.asked.lock().unwrap().push(asked);
        if !takes.is_zero() {
            for _ in 0..3 {
                sleep(takes / 3).await;
            }
        }
        for turn in 0..self.turns {
            yield_now().await;
            if turn % 5 == 4 {
                self.most_threads.fetch_max(threads().unwrap_or(0), SeqCst);
            }
        }
        answer.clone()
    }
}

impl Asked {
    fn now(service: &'static str, id: u64) -> Asked {
        Asked {
            service,
            id,
            on: thread::current().id(),
            trail: lab::Trail::here(),
        }
    }
}

impl UserApi for Fakes {
    fn user(&self, id: u64) -> BoxFuture<'_, Result<User, ApiError>> {
        Box::pin(async move {
            let asked = Asked::now(USERS, id);
            self.ask(asked, self.users_take, &self.user).await
        })
    }
}

impl OrderApi for Fakes {
    fn orders(&self, user: u64) -> BoxFuture<'_, Result<Vec<Order>, ApiError>> {
        Box::pin(async move {
            let asked = Asked::now(ORDERS, user);
            self.ask(asked, self.orders_take, &self.orders).await
        })
    }
}

fn random_time(millis: std::ops::Range<u64>) -> Duration {
    // Three times a whole millisecond, as Tokio's timers have them.
    Duration::from_millis(lab::random().range(millis) / 3 * 3)
}
