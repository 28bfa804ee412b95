//! `Post` plays the mail server after a script on the paused clock: mails take long, the first of an evening
//! longest, and some panic. What is not out at the moment when `shutdown` returns is lost.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::{Trail, WatchState};
use tokio::time::{Instant, sleep};

use crate::exercise::{Confirmation, Mail, Mailer, Order, Shop};

#[test]
fn the_customer_and_the_warehouse_get_their_mails() {
    lab::paused(|| async {
        let evening = Evening::of(5);
        for order in evening.orders() {
            let confirmation = evening.shop.checkout(order.clone()).await;
            let own = Confirmation { order: order.id };
            lab::expect_eq(confirmation, own, "the confirmation of an order");
        }
        // Nobody shuts the shop down; the day goes on.
        sleep(LONG).await;
        evening.expect_both_mails("the shop stayed open for half an hour after the order");
    });
}

#[test]
fn a_checkout_does_not_wait_for_its_mails() {
    lab::paused(|| async {
        // No limit for the mails on their way is larger than a good evening.
        let evening = Evening::of(100);
        for order in evening.orders() {
            evening.expect_quick_checkout(order, "").await;
        }
        // One after the other they take longer.
        sleep(LONG + Duration::from_secs(20 * 60)).await;
    });
}

#[test]
fn the_mails_of_all_orders_are_out_when_shutdown_returns() {
    lab::paused(|| async {
        let evening = Evening::of(lab::random().range(4..8));
        for order in evening.orders() {
            evening.shop.checkout(order).await;
        }
        evening.shop.shutdown().await;
        evening.expect_both_mails("`shutdown` returned, and the process ended");
        evening.expect_over_by(evening.post.last_mail_out());
    });
}

#[test]
fn a_mail_that_panics_takes_no_other_mail_along() {
    lab::paused(|| async {
        for broken in 0..2 {
            let mut evening = Evening::of(4);
            evening.break_mail(broken);
            for order in evening.orders() {
                evening.shop.checkout(order).await;
            }
            evening.shop.shutdown().await;
            evening.expect_both_mails("another mail panicked, and `shutdown` returned");
        }
    });
}

#[test]
fn an_order_placed_during_the_shutdown_gets_its_mails() {
    lab::paused(|| async {
        let evening = Evening::of(5);
        let mut orders = evening.orders();
        let late = orders.split_off(3);
        for order in orders {
            evening.shop.checkout(order).await;
        }
        *evening.post.slow.lock().unwrap() = late.iter().map(|order| order.id).collect();
        tokio::join!(evening.shop.shutdown(), async {
            sleep(Duration::from_secs(lab::random().range(1..20))).await;
            for order in late {
                let story = ", while the shutdown waited for the mails of others";
                evening.expect_quick_checkout(order, story).await;
                // Until the mails of this late order are the last ones.
                sleep(Duration::from_secs(120)).await;
            }
        });
        evening.expect_both_mails(
            "the order was confirmed while `shutdown` waited; `shutdown` returned, and the process ended",
        );
    });
}

#[test]
fn a_shutdown_takes_no_longer_than_the_mails() {
    lab::paused(|| async {
        let idle = Evening::of(0);
        let start = Instant::now();
        idle.shop.shutdown().await;
        idle.expect_over_by(start);

        let evening = Evening::of(2);
        for order in evening.orders() {
            evening.shop.checkout(order).await;
        }
        sleep(LONG).await;
        let all_out = Instant::now();
        evening.shop.shutdown().await;
        evening.expect_over_by(all_out);
    });
}

/// Longer than all mails of an evening, even one after the other.
const LONG: Duration = Duration::from_secs(30 * 60);

/// For those who look now and then whether all is out.
const PATIENCE: Duration = Duration::from_secs(1);

struct Evening {
    ids: Vec<u64>,
    shop: Shop,
    post: Arc<Post>,
}

#[derive(Default)]
struct Post {
    broken: Mutex<Option<Mail>>,
    /// Orders whose mails take longer than all others.
    slow: Mutex<Vec<u64>>,
    sent: Mutex<Vec<Sent>>,
}

struct Sent {
    mail: Mail,
    from: Trail,
    work: Arc<WatchState>,
    out: Arc<Mutex<Option<Instant>>>,
}

impl Evening {
    fn of(orders: usize) -> Evening {
        let mut rng = lab::random();
        let first = rng.range(1_000..1_000_000);
        let mut ids: Vec<_> = (0..orders as u64).map(|i| first + 3 * i).collect();
        rng.shuffle(&mut ids);
        let post = Arc::new(Post::default());
        let shop = Shop::new(post.clone());
        Evening { ids, shop, post }
    }

    fn orders(&self) -> Vec<Order> {
        self.ids.iter().map(|&id| Order { id }).collect()
    }

    /// One mail of the first order: the receipt, or the packing list.
    fn break_mail(&mut self, which: usize) {
        *self.post.broken.lock().unwrap() = Some(mails(self.ids[0])[which].clone());
    }

    async fn expect_quick_checkout(&self, order: Order, story: &str) {
        let start = Instant::now();
        let id = order.id;
        self.shop.checkout(order).await;
        let took = start.elapsed();
        if took > Duration::from_millis(1) {
            let sent = self.post.sent.lock().unwrap();
            let own = sent.iter().find(|sent| mails(id).contains(&sent.mail));
            lab::fail(format!(
                "the customer of order {id} looked at a spinning wheel for {took:?}{story}"
            ))
            .expected("a confirmation at once")
            .seen(format!("a confirmation after {took:?}"))
            .at(own.map(|sent| &sent.from))
            .raise();
        }
    }

    fn expect_both_mails(&self, story: &str) {
        let broken = self.post.broken.lock().unwrap().clone();
        for &id in &self.ids {
            for mail in mails(id) {
                if Some(&mail) != broken.as_ref() {
                    self.post.expect_out(&mail, story);
                }
            }
        }
    }

    fn expect_over_by(&self, all_out: Instant) {
        let late = all_out.elapsed();
        if late > PATIENCE {
            lab::fail(format!(
                "all mails were out, and `shutdown` went on waiting for {late:?}: the deploy hangs that long"
            ))
            .expected("an end as soon as the last mail is out")
            .seen(format!("an end {late:?} later"))
            .at(Trail::of_function(Shop::shutdown as *const ()))
            .raise();
        }
    }
}

fn mails(order: u64) -> [Mail; 2] {
    [Mail::Receipt { order }, Mail::Packing { order }]
}

fn words(mail: &Mail) -> String {
    match mail {
        Mail::Receipt { order } => format!("the receipt of order {order}"),
        Mail::Packing { order } => format!("the packing list of order {order}"),
    }
}

impl Post {
    fn expect_out(&self, mail: &Mail, story: &str) {
        let sent = self.sent.lock().unwrap();
        let tries: Vec<_> = sent.iter().filter(|sent| sent.mail == *mail).collect();
        let out = tries.iter().filter(|sent| sent.work.completed()).count();
        if (tries.len(), out) == (1, 1) {
            return;
        }
        let told = match (&tries[..], out) {
            ([], _) => "was never given to the mailer",
            ([one], _) if one.work.polls() == 0 => "was given up before it was begun",
            ([_], _) => "was still on its way, or given up",
            (_, _) => "was sent more than once",
        };
        lab::fail(format!("{story}; {} {told}", words(mail)))
            .expected("1 mail")
            .seen(format!("{out} mails"))
            .at(tries.last().and_then(|sent| sent.work.dropped_at()))
            .at(tries.last().map(|sent| &sent.from))
            .at(Trail::of_function(Shop::checkout as *const ()))
            .raise();
    }

    fn last_mail_out(&self) -> Instant {
        let sent = self.sent.lock().unwrap();
        let out = sent.iter().filter_map(|sent| *sent.out.lock().unwrap());
        out.max().unwrap_or_else(Instant::now)
    }
}

impl Mailer for Post {
    fn send(&self, mail: Mail) -> BoxFuture<'static, ()> {
        let mut sent = self.sent.lock().unwrap();
        // The first mails take longest, a minute and a half; those of a slow order end after all others.
        let takes = Duration::from_secs(90 - 6 * (sent.len() as u64).min(13));
        let slow = self.slow.lock().unwrap();
        let takes = match slow.iter().any(|&order| mails(order).contains(&mail)) {
            true => takes + Duration::from_secs(100),
            false => takes,
        };
        let takes = takes - Duration::from_millis(lab::random().range(0..3_000));
        let panics = self.broken.lock().unwrap().as_ref() == Some(&mail);
        let out = Arc::new(Mutex::new(None));
        let (done, address) = (out.clone(), words(&mail));
        let work = lab::watched(words(&mail), async move {
            if panics {
                sleep(Duration::from_secs(1)).await;
                panic!("{address} has no address");
            }
            sleep(takes).await;
            *done.lock().unwrap() = Some(Instant::now());
        });
        sent.push(Sent {
            mail,
            from: Trail::here(),
            work: work.state(),
            out,
        });
        Box::pin(work)
    }
}
