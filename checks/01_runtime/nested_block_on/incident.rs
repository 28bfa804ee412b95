//! Two hundred customers pay, one every 2 ms, and the database takes 20 ms for each. The service has two workers.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Incident};

use crate::exercise::{ChargeReq, Db, charge};

struct Postgres;

impl Db for Postgres {
    fn persist(&self, user_id: u64, _: u64) -> BoxFuture<'_, String> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            format!("tx_{user_id}")
        })
    }
}

#[test]
fn customers_who_pay() {
    Incident::workers(2, "payments").run(|measured| async move {
        let pay = |user_id| async move {
            let req = ChargeReq {
                user_id,
                amount_krw: 9_900,
            };
            let paid = charge(req, Arc::new(Postgres)).await;
            match paid.tx_id == format!("tx_{user_id}") {
                true => Answer::Done,
                false => Answer::Failed,
            }
        };
        measured.at_pace(200, Duration::from_millis(2), pay).await;
    });
}
