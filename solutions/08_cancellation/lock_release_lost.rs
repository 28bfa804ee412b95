//! A payment locks its customer in Redis, and gives the lock back when it is done. Since releasing has a
//! limit of two seconds, some customers hear "a payment is already under way" for the next ten minutes.
//! Keep as they are, the checks use them: `RedisError`, `RedisLock`, `ReleaseError`, `release_with_timeout`.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use tokio::time::{Duration, sleep};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisError(pub String);

pub trait RedisLock: Send + Sync {
    /// Deletes the key, whoever holds it by then. A lock that nobody deletes lives for ten minutes.
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseError {
    /// No answer within the limit. Redis may be slow, but the lock does get free.
    Timeout,
    Redis(RedisError),
    /// The Redis client panicked.
    Crashed,
}

/// Sends one DEL, whatever comes of it, and answers after `limit` at the latest. However long Redis takes,
/// and even if the customer hangs up meanwhile, the lock gets free. No release waits for another one.
pub async fn release_with_timeout(
    lock: Arc<dyn RedisLock>,
    key: String,
    limit: Duration,
) -> Result<(), ReleaseError> {
    // ANCHOR: fix
    // What loses a race in `select!` is dropped where it stands, and so is what a caller gives up. A DEL
    // half-way must not be: it gets a task of its own, and only the waiting for it takes part in the race.
    let del = tokio::spawn(lock.del(key));
    tokio::select! {
        answer = del => match answer {
            Ok(answer) => answer.map_err(ReleaseError::Redis),
            Err(_) => Err(ReleaseError::Crashed),
        },
        // A dropped handle lets its task go on.
        _ = sleep(limit) => Err(ReleaseError::Timeout),
    }
    // ANCHOR_END: fix
}

/// Takes 300 ms for everything tonight.
#[derive(Clone, Default)]
struct SlowRedis(Arc<Mutex<Option<String>>>);

impl RedisLock for SlowRedis {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>> {
        let held = self.0.clone();
        Box::pin(async move {
            sleep(Duration::from_millis(300)).await;
            held.lock().unwrap().take_if(|holder| *holder == key);
            Ok(())
        })
    }
}

#[tokio::main]
async fn main() {
    let redis = SlowRedis::default();
    for payment in 1..=3 {
        let free = redis
            .0
            .lock()
            .unwrap()
            .replace("lock:mina".into())
            .is_none();
        if free {
            println!("payment {payment} of mina: charged");
            let (lock, key) = (Arc::new(redis.clone()), "lock:mina".into());
            let answer = release_with_timeout(lock, key, Duration::from_millis(200)).await;
            println!("payment {payment} of mina: release answered {answer:?}");
        } else {
            println!("payment {payment} of mina: refused, a payment is already under way");
        }
        sleep(Duration::from_secs(1)).await;
    }
}
