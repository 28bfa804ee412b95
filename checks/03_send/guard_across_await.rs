//! The cache may lock whatever it likes, but no customer waits while it is locked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::{self, BoxFuture};
use lab::Trail;
use tokio::sync::Barrier;
use tokio::time::{sleep, timeout};

use crate::exercise::{Cache, Origin, handle};

#[test]
fn every_customer_can_be_a_task_of_its_own() {
    lab::paused(|| async {
        let partner = Partner::new();
        let customer = handle(Cache::default(), "tea".into(), partner.clone());
        let price = lab::spawnable(customer).await;
        lab::expect_eq(
            price,
            partner.price("tea"),
            "the first customer's price of tea",
        );
    });
}

#[test]
fn the_partner_is_asked_once_for_a_product() {
    lab::paused(|| async {
        let (cache, partner) = (Cache::default(), Partner::new());
        for _ in 0..3 {
            let price = handle(cache.clone(), "tea".into(), partner.clone()).await;
            lab::expect_eq(price, partner.price("tea"), "the price of tea");
        }
        partner.expect_asked("three customers wanted tea, one after the other", &["tea"]);
        let price = handle(cache, "milk".into(), partner.clone()).await;
        lab::expect_eq(
            price,
            partner.price("milk"),
            "the price of milk, asked after tea",
        );
    });
}

#[test]
fn two_shops_do_not_share_prices() {
    lab::paused(|| async {
        for shop in [
            "the first shop's price of tea",
            "the second shop's price of tea",
        ] {
            let partner = Partner::new();
            let price = handle(Cache::default(), "tea".into(), partner.clone()).await;
            lab::expect_eq(price, partner.price("tea"), shop);
        }
    });
}

#[test]
fn two_products_are_asked_for_at_the_same_time() {
    lab::paused(|| async {
        let partner = Rush::new();
        both(&Cache::default(), &partner).await;
        if !partner.met() {
            lab::fail("a customer who wanted tea and one who wanted milk came together, and one was kept waiting until the partner had answered the other: a slow partner now queues the whole shop")
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
        for product in ["tea", "milk"] {
            let price = handle(cache.clone(), product.into(), later.clone()).await;
            lab::expect_eq(
                price,
                rush.partner.price(product),
                "the price that was fetched first",
            );
        }
        later.expect_asked(
            "tea and milk were both fetched before, at the same time",
            &[],
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
        let price = handle(cache, "breakfast".into(), bundles.clone()).await;
        let expected = format!("breakfast: {}", bundles.parts.price("tea"));
        lab::expect_eq(
            price,
            expected,
            "the price of a breakfast, which is the price of its tea",
        );
    });
}

/// Two customers at once, each with the right price in the end.
async fn both(cache: &Cache, rush: &Arc<Rush>) {
    let customer = |product: &str| handle(cache.clone(), product.into(), rush.clone());
    let (tea, milk) = future::join(customer("tea"), customer("milk")).await;
    lab::expect_eq(
        tea,
        rush.partner.price("tea"),
        "the price of tea, asked together with milk",
    );
    lab::expect_eq(
        milk,
        rush.partner.price("milk"),
        "the price of milk, asked together with tea",
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

    fn expect_asked(&self, story: &str, expected: &[&str]) {
        let asked = self.asked.lock().unwrap();
        if *asked != *expected {
            lab::fail(format!("{story}; the partner charges for every question, and was asked again for a price that the cache had"))
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
            sleep(Duration::from_millis(20)).await;
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

    fn met(&self) -> bool {
        !*self.lonely.lock().unwrap()
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
