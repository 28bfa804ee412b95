//! The service itself still charges, and lets its thread serve others meanwhile.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use crate::exercise::charge;

#[test]
fn an_order_is_charged_under_its_number() {
    lab::paused(|| async {
        let mut random = lab::random();
        let order = random.range(1..1_000_000);
        let number = charge(order).await;
        let story = format!("order {order} was charged");
        lab::expect_eq(number, order + 1000, &story);
    });
}

#[test]
fn a_charge_leaves_its_thread_to_others() {
    lab::paused(|| async {
        let order = lab::random().range(1..1_000_000);
        let mut charging = pin!(charge(order));
        let mut looks = 0;
        // The database takes its time, so the first look must come back without a number.
        let first = std::future::poll_fn(|context| {
            looks += 1;
            Poll::Ready(charging.as_mut().poll(context).is_pending())
        });
        lab::expect(
            first.await,
            "the thread stood still until the database had answered: nobody else was served",
        );
        let number = charging.await;
        lab::expect_eq(number, order + 1000, "the charge that was waited for");
    });
}
