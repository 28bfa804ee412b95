//! A hundred payments, one every 10 ms, give back their locks with a limit of 20 ms. Redis takes 5 ms for most, and 60 ms
//! for every fifth.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Better, Incident};
use tokio::time::sleep;

use crate::exercise::{RedisError, RedisLock, ReleaseError, release_with_timeout};

#[derive(Clone)]
struct Redis(Arc<Mutex<HashSet<String>>>);

impl RedisLock for Redis {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>> {
        let held = self.0.clone();
        Box::pin(async move {
            let slow = key.ends_with('0') || key.ends_with('5');
            sleep(Duration::from_millis(if slow { 60 } else { 5 })).await;
            held.lock().unwrap().remove(&key);
            Ok(())
        })
    }
}

#[test]
fn payments_give_back_their_locks() {
    Incident::one_thread("releases").run(|measured| async move {
        let held: Arc<Mutex<HashSet<String>>> = Arc::default();
        let timeouts = Arc::new(Mutex::new(0));
        let release = |n| {
            let (held, timeouts) = (held.clone(), timeouts.clone());
            async move {
                let key = format!("lock:{n}");
                held.lock().unwrap().insert(key.clone());
                let limit = Duration::from_millis(20);
                match release_with_timeout(Arc::new(Redis(held)), key, limit).await {
                    Ok(()) => Answer::Done,
                    Err(ReleaseError::Timeout) => {
                        *timeouts.lock().unwrap() += 1;
                        Answer::Done
                    }
                    Err(_) => Answer::Failed,
                }
            }
        };
        measured
            .at_pace(100, Duration::from_millis(10), release)
            .await;
        // Redis has long answered all that still runs.
        sleep(Duration::from_millis(200)).await;
        let (held, timeouts) = (held.lock().unwrap().len(), *timeouts.lock().unwrap());
        measured.lost(held as u64, "locks");
        measured.figure(
            "answered Timeout",
            f64::from(timeouts),
            "times",
            Better::Neither,
        );
    });
}
