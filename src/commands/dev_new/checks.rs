use crate::exercise::{Counter, take};

#[test]
fn an_order_is_counted_when_it_is_taken() {
    lab::paused(|| async {
        let items = lab::random().range(1..1_000_000);
        let counter = Counter::default();
        take(items, &counter).await;
        lab::expect_eq(
            counter.total(),
            items,
            "the items counted after the order was taken",
        );
    });
}
