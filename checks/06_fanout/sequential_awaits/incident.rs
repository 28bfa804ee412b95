//! Two hundred profile pages, one every 5 ms. The user service and the order service take 50 ms each.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Incident};
use tokio::time::sleep;

use crate::exercise::{ApiError, Order, OrderApi, User, UserApi, user_details};

struct Services;

const CALL: Duration = Duration::from_millis(50);

impl UserApi for Services {
    fn user(&self, id: u64) -> BoxFuture<'_, Result<User, ApiError>> {
        Box::pin(async move {
            sleep(CALL).await;
            let name = format!("user {id}");
            Ok(User { id, name })
        })
    }
}

impl OrderApi for Services {
    fn orders(&self, _: u64) -> BoxFuture<'_, Result<Vec<Order>, ApiError>> {
        Box::pin(async {
            sleep(CALL).await;
            Ok(Vec::new())
        })
    }
}

#[test]
fn profile_pages() {
    Incident::one_thread("pages").run(|measured| async move {
        let page = |id| async move {
            match user_details(id, Arc::new(Services), Arc::new(Services)).await {
                Ok(_) => Answer::Done,
                Err(_) => Answer::Failed,
            }
        };
        measured.at_pace(200, Duration::from_millis(5), page).await;
    });
}
