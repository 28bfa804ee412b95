//! The cache may lock whatever it likes, but no customer waits while it is locked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{self, BoxFuture};
use lab::{Gauge, Trail};
use tokio::sync::{Barrier, Notify, Semaphore};
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::exercise::{Cache, Origin, handle};

#[test]
fn every_customer_can_be_a_task_of_its_own() {
    lab::paused(|| async {
        let (partner, tea) = (Partner::new(), a_new("tea"));
        let customer = handle(Cache::default(), tea.clone(), partner.clone());
        let seen = lab::spawnable(customer).await;
        let story = format!("the first customer asked for {tea}");
        expect_price(seen, partner.price(&tea), &story);
    });
}

#[test]
fn the_partner_is_asked_once_for_a_product() {
    lab::paused(|| async {
        let (cache, partner) = (Cache::default(), Partner::new());
        let (tea, milk) = (a_new("tea"), a_new("milk"));
        for _ in 0..3 {
            let seen = handle(cache.clone(), tea.clone(), partner.clone()).await;
            let story = format!("a customer asked for {tea}");
            expect_price(seen, partner.price(&tea), &story);
        }
        let story = format!("three customers asked for {tea}, one after the other");
        partner.expect_asked(&[&tea], &story);
        let seen = handle(cache, milk.clone(), partner.clone()).await;
        let story = format!("a customer asked for {milk}, which is not in the cache");
        expect_price(seen, partner.price(&milk), &story);
    });
}

#[test]
fn two_shops_do_not_share_prices() {
    lab::paused(|| async {
        let tea = a_new("tea");
        for shop in ["first", "second"] {
            let partner = Partner::new();
            let seen = handle(Cache::default(), tea.clone(), partner.clone()).await;
            let story = format!(
                "a customer asked for {tea} in the {shop} of two shops, each with a cache of its own"
            );
            expect_price(seen, partner.price(&tea), &story);
        }
    });
}

#[test]
fn all_new_products_are_asked_for_at_the_same_time() {
    in_a_rush(|| async {
        let products = new_products(CUSTOMERS);
        let rush = Rush::of(&products);
        everybody(&Cache::default(), &rush, &products).await;
        if rush.open.peak() < CUSTOMERS {
            lab::fail(
                "many customers came at once, each for a product that nobody had asked for; some had to wait \
                 until the partner had answered the others",
            )
            .expected(format!("{CUSTOMERS} questions open at the partner at once"))
            .seen(rush.open.peak())
            .raise();
        }
    });
}

#[test]
fn prices_that_arrive_together_are_all_kept() {
    in_a_rush(|| async {
        let products = new_products(100);
        let (cache, rush, later) = (Cache::default(), Rush::of(&products), Partner::new());
        everybody(&cache, &rush, &products).await;
        for product in &products {
            let seen = handle(cache.clone(), product.clone(), later.clone()).await;
            let story = format!("many prices had arrived together, among them that of {product}");
            later.expect_asked(&[], &story);
            expect_price(seen, rush.partner.price(product), &story);
        }
    });
}

#[test]
fn the_partner_may_look_into_the_cache_itself() {
    lab::paused(|| async {
        let (cache, tea, breakfast) = (Cache::default(), a_new("tea"), a_new("breakfast"));
        let bundles = Arc::new(Bundles {
            cache: cache.clone(),
            part: tea.clone(),
            parts: Partner::new(),
        });
        let seen = handle(cache, breakfast.clone(), bundles.clone()).await;
        let expected = format!("{breakfast}: {}", bundles.parts.price(&tea));
        let story = format!("a customer asked for {breakfast}, which costs what its {tea} costs");
        expect_price(seen, expected, &story);
    });
}

#[test]
fn two_customers_may_want_the_same_product_at_once() {
    lab::paused(|| async {
        let (cache, later, tea) = (Cache::default(), Partner::new(), a_new("tea"));
        let slow = Slow::with(&tea);
        let customer = || handle(cache.clone(), tea.clone(), slow.clone());
        // One question or two, as the learner likes.
        let answer = async {
            slow.is_asked().await;
            a_few_turns().await;
            slow.answer();
        };
        let (first, second, ()) = tokio::join!(customer(), customer(), answer);
        let story = format!("two customers asked for {tea} at the same time");
        expect_price(first, slow.partner.price(&tea), &story);
        expect_price(second, slow.partner.price(&tea), &story);
        let third = handle(cache.clone(), tea.clone(), later.clone()).await;
        let story = format!("{story}, and a third one when both had their answer");
        later.expect_asked(&[], &story);
        expect_price(third, slow.partner.price(&tea), &story);
    });
}

#[test]
fn a_known_price_is_told_while_the_partner_is_busy() {
    lab::paused(|| async {
        let (cache, tea, milk) = (Cache::default(), a_new("tea"), a_new("milk"));
        let slow = Slow::with(&milk);
        let customer = |product: &String| handle(cache.clone(), product.clone(), slow.clone());
        let first = customer(&tea).await;
        expect_price(
            first,
            slow.partner.price(&tea),
            &format!("a customer asked for {tea}"),
        );
        let meanwhile = async {
            slow.is_asked().await;
            let told = timeout(MINUTE, customer(&tea)).await;
            slow.answer();
            told
        };
        let (_, told) = tokio::join!(customer(&milk), meanwhile);
        let story = format!("the price of {tea} was known, and a customer asked for it");
        let Ok(seen) = told else {
            told_too_late(&format!(
                "{story}; the answer had to wait for the partner, who was busy with {milk}"
            ))
        };
        expect_price(seen, slow.partner.price(&tea), &story);
        slow.partner.expect_asked(&[&tea, &milk], &story);
    });
}

#[test]
fn an_early_answer_is_not_held_back_by_a_late_one() {
    lab::paused(|| async {
        let (cache, tea, milk) = (Cache::default(), a_new("tea"), a_new("milk"));
        let slow = Slow::with(&milk);
        let customer = |product: &String| handle(cache.clone(), product.clone(), slow.clone());
        let early = async {
            let told = timeout(MINUTE, customer(&tea)).await;
            slow.answer();
            told
        };
        let (late, told) = tokio::join!(customer(&milk), early);
        let story = format!("one customer asked for {milk}, another one for {tea}");
        let Ok(seen) = told else {
            told_too_late(&format!(
                "{story}; the partner answered the second at once, and that customer was told when \
                 the partner had answered the first"
            ))
        };
        expect_price(seen, slow.partner.price(&tea), &story);
        expect_price(late, slow.partner.price(&milk), &story);
    });
}

#[test]
fn a_customer_who_leaves_harms_nobody_else() {
    lab::paused(|| async {
        let (tea, milk) = (a_new("tea"), a_new("milk"));
        let story = &format!("a customer asked for {tea} and left before the answer");
        lab::cancel_sweep(
            || (Cache::default(), Partner::new()),
            |(cache, partner)| handle(cache, tea.clone(), partner),
            |(cache, partner), _| {
                let (tea, milk) = (tea.clone(), milk.clone());
                async move {
                    for product in [tea, milk] {
                        let next = handle(cache.clone(), product.clone(), partner.clone());
                        let story = format!("{story}; the next one asked for {product}");
                        let Ok(seen) = timeout(MINUTE, next).await else {
                            told_too_late(&format!("{story}, and was never told its price"))
                        };
                        expect_price(seen, partner.price(&product), &story);
                    }
                }
            },
        )
        .await;

        let (cache, slow, leave) = (Cache::default(), Slow::with(&tea), Notify::new());
        let customer = || handle(cache.clone(), tea.clone(), slow.clone());
        let leaves = async {
            tokio::select! {
                biased;
                _ = customer() => (),
                () = leave.notified() => (),
            }
        };
        let stays = async { timeout(MINUTE, customer()).await };
        let meanwhile = async {
            slow.is_asked().await;
            a_few_turns().await;
            leave.notify_one();
            a_few_turns().await;
            slow.answer();
        };
        let ((), told, ()) = tokio::join!(leaves, stays, meanwhile);
        let story =
            format!("two customers asked for {tea}, and the first one left before the answer");
        let Ok(seen) = told else {
            told_too_late(&format!("{story}; the second one was never told the price"))
        };
        expect_price(seen, slow.partner.price(&tea), &story);
    });
}

/// Virtual. Whoever waits so long waits for something else than it should.
const MINUTE: Duration = Duration::from_secs(60);

fn told_too_late(story: &str) -> ! {
    lab::fail(story).raise()
}

async fn a_few_turns() {
    for _ in 0..10 {
        yield_now().await;
    }
}

fn expect_price(seen: String, expected: String, story: &str) {
    if seen != expected {
        lab::fail(format!("{story}, and was told a wrong price"))
            .expected(expected)
            .seen(seen)
            .raise();
    }
}

/// More than any sharing out of locks has shards, in a cache of this size.
const CUSTOMERS: usize = 1_000;

/// A lookup may well be a job for the pool; hundreds of threads for it would only be dear.
fn in_a_rush<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::paused().max_blocking_threads(8).run(body);
}

/// A name that stands in no exercise.
fn a_new(kind: &str) -> String {
    format!("{kind} no. {}", lab::random().range(1_000..1_000_000))
}

/// All different.
fn new_products(n: usize) -> Vec<String> {
    let mut random = lab::random();
    let mut number = random.range(1_000..1_000_000);
    let products = (0..n).map(|_| {
        number += random.range(1..1_000);
        format!("tea no. {number}")
    });
    products.collect()
}

/// All customers at once, each with the right price in the end.
async fn everybody(cache: &Cache, rush: &Arc<Rush>, products: &[String]) {
    let customer = |product: &String| handle(cache.clone(), product.clone(), rush.clone());
    let seen = future::join_all(products.iter().map(customer)).await;
    for (product, seen) in products.iter().zip(seen) {
        let story = format!("many customers came at once, one of them for {product}");
        expect_price(seen, rush.partner.price(product), &story);
    }
}

/// Knows a random price for everything, and writes down what it was asked.
struct Partner {
    base: u64,
    asked: Mutex<Vec<String>>,
}

impl Partner {
    fn new() -> Arc<Self> {
        let base = lab::random().range(1_000..1_000_000);
        Arc::new(Self {
            base,
            asked: Mutex::default(),
        })
    }

    fn price(&self, product: &str) -> String {
        format!("{product} costs {} won", self.base + product.len() as u64)
    }

    fn expect_asked(&self, expected: &[&str], story: &str) {
        let asked = self.asked.lock().unwrap();
        if *asked != *expected {
            lab::fail(format!(
                "{story}; then the partner was asked, and paid, for a price that was known"
            ))
            .expected(format!("questions to the partner: {expected:?}"))
            .seen(format!("{asked:?}"))
            .raise();
        }
    }
}

impl Origin for Partner {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let mut asked = self.asked.lock().unwrap();
        // Any question names the learner's line, and a thousand stacks are dear.
        if asked.len() < 100 {
            let _ = Trail::here();
        }
        asked.push(product.into());
        drop(asked);
        Box::pin(async {
            // Not ready at once: who does not await this properly gets stuck on it.
            yield_now().await;
            self.price(product)
        })
    }
}

/// Answers when all customers' questions are open; or after a second, so that a queue is slow and no hang.
struct Rush {
    partner: Arc<Partner>,
    open: Gauge,
    all: Barrier,
}

impl Rush {
    fn of(products: &[String]) -> Arc<Self> {
        Arc::new(Self {
            partner: Partner::new(),
            open: Gauge::new(),
            all: Barrier::new(products.len()),
        })
    }
}

impl Origin for Rush {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        if self.open.total() < 100 {
            let _ = Trail::here();
        }
        Box::pin(async {
            let _open = self.open.enter();
            let _ = timeout(Duration::from_secs(1), self.all.wait()).await;
            self.partner.fetch(product).await
        })
    }
}

/// Answers at once, but for one product: that answer comes when the check says so.
struct Slow {
    partner: Arc<Partner>,
    product: String,
    asked: Notify,
    held: Semaphore,
}

impl Slow {
    fn with(product: &str) -> Arc<Self> {
        Arc::new(Self {
            partner: Partner::new(),
            product: product.into(),
            asked: Notify::new(),
            held: Semaphore::new(0),
        })
    }

    async fn is_asked(&self) {
        let _ = timeout(MINUTE, self.asked.notified()).await;
    }

    fn answer(&self) {
        self.held.close();
    }
}

impl Origin for Slow {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let _ = Trail::here();
        Box::pin(async move {
            if product == self.product {
                self.asked.notify_one();
                let _ = self.held.acquire().await;
            }
            self.partner.fetch(product).await
        })
    }
}

/// A bundle costs what its part costs, and that price comes through the shop's own cache.
struct Bundles {
    cache: Cache,
    part: String,
    parts: Arc<Partner>,
}

impl Origin for Bundles {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let _ = Trail::here();
        let part = handle(self.cache.clone(), self.part.clone(), self.parts.clone());
        Box::pin(async move { format!("{product}: {}", part.await) })
    }
}
