//! The cache may lock whatever it likes, but no customer waits while it is locked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{self, BoxFuture};
use lab::Trail;
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
fn two_products_are_asked_for_at_the_same_time() {
    lab::paused(|| async {
        let rush = Rush::new();
        both(&Cache::default(), &rush).await;
        if rush.was_lonely() {
            lab::fail(
                "one customer asked for tea and another for milk; the second question went out only when the \
                 first was answered: a slow answer holds up the whole shop",
            )
            .expected("2 questions open at the partner at once")
            .seen("1")
            .raise();
        }
    });
}

#[test]
fn prices_that_arrive_together_are_both_kept() {
    lab::paused(|| async {
        let (cache, rush, later) = (Cache::default(), Rush::new(), Partner::new());
        both(&cache, &rush).await;
        let tea = handle(cache.clone(), "tea".into(), later.clone()).await;
        let milk = handle(cache, "milk".into(), later.clone()).await;
        later.expect_asked(
            &[],
            "the prices of tea and milk had arrived at the same time",
        );
        expect_price(
            tea,
            rush.partner.price("tea"),
            "a customer asked for tea again",
        );
        expect_price(
            milk,
            rush.partner.price("milk"),
            "a customer asked for milk again",
        );
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

/// Two customers at once, each with the right price in the end.
async fn both(cache: &Cache, rush: &Arc<Rush>) {
    let customer = |product: &str| handle(cache.clone(), product.into(), rush.clone());
    let (tea, milk) = future::join(customer("tea"), customer("milk")).await;
    expect_price(
        tea,
        rush.partner.price("tea"),
        "a customer asked for tea, another for milk",
    );
    expect_price(
        milk,
        rush.partner.price("milk"),
        "a customer asked for milk, another for tea",
    );
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

/// Answers when two questions are open. A lonely one is answered too, so that a queue is no hang.
struct Rush {
    partner: Arc<Partner>,
    open: Barrier,
    lonely: Mutex<bool>,
}

impl Rush {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            partner: Partner::new(),
            open: Barrier::new(2),
            lonely: Mutex::new(false),
        })
    }

    fn was_lonely(&self) -> bool {
        *self.lonely.lock().unwrap()
    }
}

impl Origin for Rush {
    fn fetch<'a>(&'a self, product: &'a str) -> BoxFuture<'a, String> {
        let _ = Trail::here();
        Box::pin(async {
            if timeout(Duration::from_secs(60), self.open.wait())
                .await
                .is_err()
            {
                *self.lonely.lock().unwrap() = true;
            }
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
