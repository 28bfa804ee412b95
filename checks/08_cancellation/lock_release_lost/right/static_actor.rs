// right: one actor for the whole service: it starts each DEL at once, and outlives every caller

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, timeout};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisError(pub String);

pub trait RedisLock: Send + Sync {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseError {
    Timeout,
    Redis(RedisError),
    Crashed,
}

type Answer = Result<(), RedisError>;
type Order = (BoxFuture<'static, Answer>, oneshot::Sender<Answer>);

static ORDERS: OnceLock<mpsc::UnboundedSender<Order>> = OnceLock::new();

pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    let orders = ORDERS.get_or_init(|| {
        let (orders, mut inbox) = mpsc::unbounded_channel::<Order>();
        tokio::spawn(async move {
            while let Some((del, told)) = inbox.recv().await {
                tokio::spawn(async move { told.send(del.await) });
            }
        });
        orders
    });
    let (told, del) = oneshot::channel();
    let _ = orders.send((lock.del(key), told));
    match timeout(limit, del).await {
        Ok(Ok(answer)) => answer.map_err(ReleaseError::Redis),
        Ok(Err(_)) => Err(ReleaseError::Crashed),
        Err(_) => Err(ReleaseError::Timeout),
    }
}
