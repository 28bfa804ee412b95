// wrong: check_failed many_customers_hold_no_threads — two tasks do the work, and a thread for each customer waits for them
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
    let u = tokio::spawn(async move { users.user(id).await });
    let o = tokio::spawn(async move { orders.orders(id).await });
    let (tell, told) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let both = futures::executor::block_on(futures::future::join(u, o));
        let _ = tell.send(both);
    });
    let (user, orders) = told.await.unwrap();
    let (user, orders) = (user.unwrap()?, orders.unwrap()?);
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
