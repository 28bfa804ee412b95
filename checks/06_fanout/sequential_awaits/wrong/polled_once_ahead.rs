// wrong: check_failed the_page_takes_as_long_as_the_slower_service — one poll sends the request, and nobody looks after it until the user is there
//! The app's profile page takes as long as the user service and the order service together. Each of them
//! answers within a second, I measured both; on Node the same page took one second, here it takes two.
//! Keep as they are, the checks use them: `User`, `Order`, `ApiError`, `UserApi`, `OrderApi`, `user_details`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;

#[derive(Debug, Clone, PartialEq)]
pub struct User {
    pub id: u64,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub item: String,
    pub price: u64,
}

#[derive(Debug, PartialEq)]
pub struct UserDetails {
    pub user: User,
    pub orders: Vec<Order>,
}

/// Why a service did not answer, in its own words.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError(pub String);

pub trait UserApi: Send + Sync {
    fn user(&self, id: u64) -> BoxFuture<'_, Result<User, ApiError>>;
}

pub trait OrderApi: Send + Sync {
    fn orders(&self, user: u64) -> BoxFuture<'_, Result<Vec<Order>, ApiError>>;
}

/// The page takes as long as the slower of the two services; each is asked once, and no thread is held
/// meanwhile. When a service fails, its error is the answer (either of the two errors, if both fail).
pub async fn user_details(
    id: u64,
    users: Arc<dyn UserApi>,
    orders: Arc<dyn OrderApi>,
) -> Result<UserDetails, ApiError> {
    let mut early = orders.orders(id);
    let first = futures::poll!(&mut early);
    let user = users.user(id).await?;
    let orders = match first {
        std::task::Poll::Ready(orders) => orders?,
        std::task::Poll::Pending => early.await?,
    };
    Ok(UserDetails { user, orders })
}

struct Services;

impl UserApi for Services {
    fn user(&self, id: u64) -> BoxFuture<'_, Result<User, ApiError>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(1_000)).await;
            let name = format!("User{id}");
            Ok(User { id, name })
        })
    }
}

impl OrderApi for Services {
    fn orders(&self, _: u64) -> BoxFuture<'_, Result<Vec<Order>, ApiError>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(1_000)).await;
            let item = "umbrella".to_string();
            Ok(vec![Order { item, price: 100 }])
        })
    }
}

#[tokio::main]
async fn main() {
    let asked = Instant::now();
    let page = user_details(7, Arc::new(Services), Arc::new(Services)).await;
    println!("after {} ms: {page:?}", asked.elapsed().as_millis());
}
