//! The cache may lock whatever it likes, but no customer waits while it is locked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{self, BoxFuture};
use lab::{Gauge, Trail};
use tokio::sync::Barrier;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::exercise::{Cache, Origin, handle};

#[test]
fn every_customer_can_be_a_task_of_its_own() {
    lab::paused(|| async {
        let partner = Partner::new();
        let customer = handle(Cache::default(), "tea".into(), partner.clone());
        let seen = lab::spawnable(customer).await;
        expect_price(
            seen,
            partner.price("tea"),
            "the first customer asked for tea",
        );
    });
}

#[test]
fn the_partner_is_asked_once_for_a_product() {
    lab::paused(|| async {
        let (cache, partner) = (Cache::default(), Partner::new());
        for _ in 0..3 {
            let seen = handle(cache.clone(), "tea".into(), partner.clone()).await;
            expect_price(seen, partner.price("tea"), "a customer asked for tea");
        }
        partner.expect_asked(
            &["tea"],
            "three customers asked for tea, one after the other",
        );
        let seen = handle(cache, "milk".into(), partner.clone()).await;
        expect_price(
            seen,
            partner.price("milk"),
            "a customer asked for milk, which is not in the cache",
        );
    });
}

#[test]
fn two_shops_do_not_share_prices() {
    lab::paused(|| async {
        for shop in ["first", "second"] {
            let partner = Partner::new();
            let seen = handle(Cache::default(), "tea".into(), partner.clone()).await;
            let story = format!(
                "a customer asked for tea in the {shop} of two shops, each with a cache of its own"
            );
            expect_price(seen, partner.price("tea"), &story);
        }
    });
}

#[test]
fn all_new_products_are_asked_for_at_the_same_time() {
    lab::paused(|| async {
        let rush = Rush::new();
        everybody(&Cache::default(), &rush).await;
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
    lab::paused(|| async {
        let (cache, rush, later) = (Cache::default(), Rush::new(), Partner::new());
        everybody(&cache, &rush).await;
        for product in products() {
            let seen = handle(cache.clone(), product.clone(), later.clone()).await;
            let story =
                format!("{CUSTOMERS} prices had arrived together, among them that of {product}");
            later.expect_asked(&[], &story);
            expect_price(seen, rush.partner.price(&product), &story);
        }
    });
}

#[test]
fn the_partner_may_look_into_the_cache_itself() {
    lab::paused(|| async {
        let cache = Cache::default();
        let bundles = Arc::new(Bundles {
            cache: cache.clone(),
            parts: Partner::new(),
        });
        let seen = handle(cache, "breakfast".into(), bundles.clone()).await;
        let expected = format!("breakfast: {}", bundles.parts.price("tea"));
        expect_price(
            seen,
            expected,
            "a customer asked for a breakfast, which costs what its tea costs",
        );
    });
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
const CUSTOMERS: usize = 64;

fn products() -> impl Iterator<Item = String> {
    (1..=CUSTOMERS).map(|number| format!("tea no. {number}"))
}

/// All customers at once, each with the right price in the end.
async fn everybody(cache: &Cache, rush: &Arc<Rush>) {
    let customer = |product| handle(cache.clone(), product, rush.clone());
    let seen = future::join_all(products().map(customer)).await;
    for (product, seen) in products().zip(seen) {
        let story = format!("{CUSTOMERS} customers came at once, one of them for {product}");
        expect_price(seen, rush.partner.price(&product), &story);
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
        let _ = Trail::here();
        self.asked.lock().unwrap().push(product.into());
        Box::pin(async {
            // Not ready at once: who does not await this properly gets stuck on it.
            yield_now().await;
            self.price(product)
        })
    }
}

/// Answers when all customers' questions are open; or after ten seconds, so that a queue is slow and no hang.
struct Rush {
    partner: Arc<Partner>,
    open: Gauge,
    all: Barrier,
}

impl Rush {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            partner: Partner::new(),
            open: Gauge::new(),
            all: Barrier::new(CUSTOMERS),
        })
    }
}

impl Origin for Rush {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let _ = Trail::here();
        Box::pin(async {
            let _open = self.open.enter();
            let _ = timeout(Duration::from_secs(10), self.all.wait()).await;
            self.partner.fetch(product).await
        })
    }
}

/// A bundle costs what its part costs, and that price comes through the shop's own cache.
struct Bundles {
    cache: Cache,
    parts: Arc<Partner>,
}

impl Origin for Bundles {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let _ = Trail::here();
        let part = handle(self.cache.clone(), "tea".into(), self.parts.clone());
        Box::pin(async move { format!("{product}: {}", part.await) })
    }
}
