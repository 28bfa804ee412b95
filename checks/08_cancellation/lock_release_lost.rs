//! `Redis` is played after a script on the paused clock: a DEL spends some time on the wire and some in the
//! server, and only at its very end the lock is free. Every DEL is watched, so that a drop names its line.
//! One actor or runtime for the whole service may stay when a check is over; one a release may not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, join, join_all};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use crate::exercise::{RedisError, RedisLock, ReleaseError, release_with_timeout};

fn night<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::paused().may_leave_running().run(body);
}

#[test]
fn a_quick_release_frees_the_lock() {
    night(|| async {
        let night = Night::random(Takes::AFewMillis, Ends::Well);
        let start = Instant::now();
        let answer = night.release().await;
        lab::expect_eq(
            answer,
            Ok(()),
            "the answer to a release for which Redis was quick",
        );
        if night.redis.holder() == Some(night.payment) {
            night
                .failure("the release answered Ok, and the customer's lock was not free yet")
                .raise();
        }
        lab::expect(
            start.elapsed() < night.limit,
            format!(
                "Redis was quick, and the release took its whole limit, {:?}",
                night.limit
            ),
        );
    });
}

#[test]
fn a_slow_release_still_frees_the_lock() {
    night(|| async {
        let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
        let _ = night.release().await;
        night
            .expect_free_soon("Redis was slower than the limit")
            .await;
    });
}

#[test]
fn the_caller_is_answered_at_the_limit() {
    night(|| async {
        let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
        let start = Instant::now();
        let answer = night.release().await;
        let (took, limit) = (start.elapsed(), night.limit);
        // The timer counts in whole milliseconds and rounds up.
        if answer != Err(ReleaseError::Timeout) || took.abs_diff(limit) > Duration::from_millis(2) {
            lab::fail(format!(
                "Redis needed {:?} for the DEL; the release promises an answer after {limit:?}",
                night.redis.script.total()
            ))
            .expected(format!("Err(Timeout) after {limit:?}"))
            .seen(format!("{answer:?} after {took:?}"))
            .raise();
        }
        night.redis.settle().await;
    });
}

#[test]
fn the_lock_of_the_next_payment_is_left_alone() {
    night(|| async {
        let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
        let next = night.payment + 1;
        let taken_again = tokio::spawn(night.redis.clone().take_when_free(next));
        let _ = night.release().await;
        night.redis.settle().await;
        taken_again.abort();

        night.expect_left_alone(next);
    });
}

#[test]
fn a_redis_that_needs_minutes_is_waited_for() {
    night(|| async {
        // Less than the ten minutes after which the lock gets free by itself.
        let minutes = Duration::from_secs(60 * lab::random().range(7..10));
        let night = Night::taking(Duration::from_millis(500), minutes, Ends::Well);
        let next = night.payment + 1;
        let taken_again = tokio::spawn(night.redis.clone().take_when_free(next));
        let answer = night.release().await;
        lab::expect_eq(
            answer,
            Err(ReleaseError::Timeout),
            "the answer to a release for which Redis needs minutes",
        );
        sleep(Duration::from_secs(30 * 60)).await;
        taken_again.abort();
        if night.redis.holder() == Some(night.payment) {
            night
                .failure(&format!(
                    "Redis needed {minutes:?} for the DEL, and half an hour later the lock is still held"
                ))
                .expected("the lock free")
                .seen(night.redis.fate_of_dels())
                .raise();
        }
        night.expect_left_alone(next);
    });
}

#[test]
fn no_release_waits_for_another() {
    night(|| async {
        let slow: Vec<_> = (0..8)
            .map(|_| Night::random(Takes::LongerThanTheLimit, Ends::Well))
            .collect();
        let quick = Night::random(Takes::AFewMillis, Ends::Well);
        let start = Instant::now();
        let quick_answer = async { (quick.release().await, start.elapsed()) };
        let (_, (answer, took)) = join(
            join_all(slow.iter().map(|night| night.release())),
            quick_answer,
        )
        .await;
        if answer != Ok(()) || took >= quick.limit {
            quick
                .failure(
                    "Redis was slow for eight customers and quick for a ninth, whose release had to wait \
                     behind theirs",
                )
                .expected(format!("Ok(()) after {:?}", quick.redis.script.total()))
                .seen(format!("{answer:?} after {took:?}"))
                .raise();
        }
        for night in slow.iter().chain([&quick]) {
            night
                .expect_free_soon("nine customers' locks were released at once")
                .await;
        }
    });
}

#[test]
fn a_lock_is_released_as_often_as_it_was_taken() {
    night(|| async {
        let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
        let _ = night.release().await;
        night.expect_free_soon("a first payment was done").await;
        night.redis.holder.send_replace(Some(night.payment + 1));
        let (first, second) = join(night.release(), async {
            sleep(night.limit / 2).await;
            let answer = night.release().await;
            (answer, night.redis.holder())
        })
        .await;
        if let (Ok(()), Some(_)) = second {
            night
                .failure(
                    "a lock was released twice, half a limit apart; the second release answered Ok, and \
                     the lock was not free yet",
                )
                .seen(format!("{first:?}, then {:?}", second.0))
                .raise();
        }
        night
            .expect_free_soon("the customer's next payment had the lock, and was done too")
            .await;
    });
}

#[test]
fn releases_leave_nothing_running() {
    night(|| async {
        const RELEASES: usize = 20;
        let release = || async {
            let night = Night::random(Takes::AFewMillis, Ends::Well);
            let _ = night.release().await;
            night.redis.settle().await;
        };
        let running = || [Handle::current().metrics().num_alive_tasks(), threads()];
        release().await;
        let [tasks, threads] = running();
        for _ in 0..RELEASES {
            release().await;
        }
        let now = running();
        for (what, before, now) in [("tasks", tasks, now[0]), ("threads", threads, now[1])] {
            if now >= before + RELEASES {
                lab::fail(format!(
                    "{RELEASES} locks were released, each DEL has its answer, and of each release \
                     something goes on running"
                ))
                .expected(format!("{before} {what}, as after the first release"))
                .seen(format!("{now} {what}"))
                .raise();
            }
        }
    });
}

#[test]
fn a_customer_who_hangs_up_leaves_no_lock_behind() {
    night(|| async {
        let mut rng = lab::random();
        for takes in [Takes::AFewMillis, Takes::LongerThanTheLimit] {
            let night = Night::random(takes, Ends::Well);
            let _ = night.release().now_or_never();
            night.expect_free_soon("the customer hung up at once").await;
        }
        // On the wire, early and late in the server; the limit is a second or more.
        for millis in [1..400, 510..800, 800..900] {
            let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
            let when = Duration::from_millis(rng.range(millis));
            night.hang_up(when).await;
        }
        let night = Night::random(Takes::LongerThanTheLimit, Ends::Well);
        night.hang_up(night.limit - Duration::from_millis(20)).await;
    });
}

#[test]
fn a_refusal_by_redis_is_told() {
    night(|| async {
        let text = format!("READONLY replica {}", lab::random().range(2..100));
        let night = Night::random(Takes::AFewMillis, Ends::Refuses(text.clone()));
        let answer = night.release().await;
        let expected = Err(ReleaseError::Redis(RedisError(text)));
        lab::expect_eq(
            answer,
            expected,
            "the answer to a release that Redis refused",
        );
    });
}

#[test]
fn a_crash_of_the_client_is_told() {
    night(|| async {
        let night = Night::random(Takes::AFewMillis, Ends::Panics);
        let answer = night.release().await;
        // `Timeout` would promise that the lock gets free.
        if matches!(answer, Ok(()) | Err(ReleaseError::Timeout)) {
            lab::fail(
                "the Redis client panicked during the DEL, and the payment heard nothing of it",
            )
            .expected("Err(Crashed)")
            .seen(format!("{answer:?}"))
            .raise();
        }
    });
}

#[test]
fn a_release_sends_one_del_however_it_ends() {
    night(|| async {
        for takes in [Takes::AFewMillis, Takes::LongerThanTheLimit] {
            for ends in [Ends::Refuses("MISCONF no disk".into()), Ends::Panics] {
                let night = Night::random(takes, ends);
                let answer = night.release().await;
                night.redis.settle().await;
                let sent = night.redis.dels_sent();
                if sent != 1 {
                    let script = &night.redis.script;
                    let ended = match script.ends {
                        Ends::Panics => "the Redis client panicked",
                        _ => "Redis refused",
                    };
                    night
                        .failure(&format!(
                            "{ended} after {:?}, the limit being {:?}, and DEL went out again: by then it \
                             can hit the lock of the customer's next payment",
                            script.total(),
                            night.limit
                        ))
                        .expected("1 DEL")
                        .seen(format!("{sent} DELs, and the answer {answer:?}"))
                        .raise();
                }
            }
        }
    });
}

#[derive(Clone, Copy)]
enum Takes {
    AFewMillis,
    LongerThanTheLimit,
}

#[derive(Clone)]
enum Ends {
    Well,
    Refuses(String),
    Panics,
}

/// One release of one payment's lock.
struct Night {
    limit: Duration,
    key: String,
    payment: u64,
    redis: Arc<Redis>,
}

impl Night {
    fn random(takes: Takes, ends: Ends) -> Night {
        let mut rng = lab::random();
        let tenths = |n: u64| Duration::from_millis(100 * n);
        let limit = tenths(rng.range(10..40));
        let (wire, server) = match takes {
            Takes::AFewMillis => (
                Duration::from_millis(3),
                Duration::from_millis(rng.range(5..200)),
            ),
            Takes::LongerThanTheLimit => (tenths(5), limit + tenths(rng.range(1..9))),
        };
        Night {
            limit,
            ..Night::taking(wire, server, ends)
        }
    }

    /// With a limit of two seconds.
    fn taking(wire: Duration, server: Duration, ends: Ends) -> Night {
        let mut rng = lab::random();
        let payment = rng.range(1..1_000_000);
        let key = format!("lock:customer:{}", rng.range(1..1_000_000));
        let redis = Redis {
            home: Handle::current(),
            script: Script { wire, server, ends },
            key: key.clone(),
            holder: watch::Sender::new(Some(payment)),
            dels: Mutex::default(),
        };
        Night {
            limit: Duration::from_secs(2),
            key,
            payment,
            redis: Arc::new(redis),
        }
    }

    async fn release(&self) -> Result<(), ReleaseError> {
        let client = Arc::new(Client(self.redis.clone()));
        release_with_timeout(client, self.key.clone(), self.limit).await
    }

    async fn hang_up(&self, when: Duration) {
        let hung_up = timeout(when, self.release()).await;
        lab::expect(
            hung_up.is_err() || hung_up == Ok(Err(ReleaseError::Timeout)),
            "the release answered before Redis did",
        );
        self.expect_free_soon(&format!("the customer hung up after {when:?}"))
            .await;
    }

    /// The next payment has taken the lock, if it was released at all.
    fn expect_left_alone(&self, next: u64) {
        let (sent, holder) = (self.redis.dels_sent(), self.redis.holder());
        if holder == Some(self.payment) {
            // Never released: another check's story.
            return;
        }
        if holder != Some(next) || sent != 1 {
            let lock = if holder.is_none() {
                ", and the next payment's lock is gone"
            } else {
                ""
            };
            self.failure(
                "DEL went out more than once; the second one can hit the lock that the customer's next \
                 payment has taken meanwhile, and then two payments run at once",
            )
            .expected("1 DEL")
            .seen(format!("{sent} DELs{lock}"))
            .raise();
        }
    }

    async fn expect_free_soon(&self, why: &str) {
        let soon = self.redis.script.total() * 10;
        if timeout(soon, self.redis.free()).await.is_err() {
            let key = &self.key;
            self.failure(&format!(
                "{why}, and `{key}` was never deleted: this customer can not pay for ten minutes"
            ))
            .expected(format!(
                "the lock free after {:?}",
                self.redis.script.total()
            ))
            .seen(format!(
                "held after {soon:?}; {}",
                self.redis.fate_of_dels()
            ))
            .raise();
        }
        self.redis.settle().await;
    }

    /// Names the line that dropped a DEL half-way, if one did, then those that sent it.
    fn failure(&self, message: &str) -> lab::Failure {
        let dels = self.redis.dels.lock().unwrap();
        let drop = dels.iter().find_map(|del| del.state.dropped_at()?.place());
        let drop = drop.map(|place| lab::Place {
            what: "drops the DEL".into(),
            ..place
        });
        let calls: Vec<_> = dels.iter().map(|del| &del.called_at).collect();
        lab::fail(message).at(drop).at(calls)
    }
}

#[derive(Clone)]
struct Script {
    wire: Duration,
    server: Duration,
    ends: Ends,
}

impl Script {
    fn total(&self) -> Duration {
        self.wire + self.server
    }
}

struct Redis {
    home: Handle,
    script: Script,
    key: String,
    /// The number of the payment that holds the lock.
    holder: watch::Sender<Option<u64>>,
    dels: Mutex<Vec<Del>>,
}

struct Del {
    called_at: lab::Trail,
    state: Arc<lab::WatchState>,
}

/// What the learner's code is given.
struct Client(Arc<Redis>);

impl RedisLock for Client {
    fn del(&self, key: String) -> BoxFuture<'static, Result<(), RedisError>> {
        let called_at = lab::Trail::here();
        let redis = self.0.clone();
        let del = lab::watched("DEL", async move {
            // A thread without a runtime can not talk to Redis.
            let _ = Handle::current();
            redis.takes(redis.script.wire).await;
            redis.takes(redis.script.server).await;
            match &redis.script.ends {
                Ends::Well if key == redis.key => drop(redis.holder.send_replace(None)),
                Ends::Well => {}
                Ends::Refuses(text) => return Err(RedisError(text.clone())),
                Ends::Panics => panic!("connection pool is poisoned"),
            }
            Ok(())
        });
        let state = del.state();
        self.0.dels.lock().unwrap().push(Del { called_at, state });
        Box::pin(del)
    }
}

impl Redis {
    /// On the clock of the check, whichever runtime drives the DEL.
    async fn takes(&self, time: Duration) {
        let _ = self.home.spawn(async move { sleep(time).await }).await;
    }

    fn holder(&self) -> Option<u64> {
        *self.holder.borrow()
    }

    async fn free(&self) {
        self.holder
            .subscribe()
            .wait_for(Option::is_none)
            .await
            .unwrap();
    }

    async fn take_when_free(self: Arc<Self>, payment: u64) {
        self.free().await;
        self.holder.send_replace(Some(payment));
    }

    /// Long enough for anything that is still under way.
    async fn settle(&self) {
        sleep(self.script.total() * 20).await;
    }

    fn dels_sent(&self) -> usize {
        self.dels
            .lock()
            .unwrap()
            .iter()
            .filter(|del| del.state.polls() > 0)
            .count()
    }

    fn fate_of_dels(&self) -> &'static str {
        if self.dels_sent() == 0 {
            return "no DEL was sent";
        }
        let dels = self.dels.lock().unwrap();
        match dels.iter().any(|del| del.state.dropped_half_way()) {
            true => "a DEL was sent and dropped half-way",
            false => "a DEL was sent, and nobody carries on with it",
        }
    }
}

/// Of this process; nothing where the system does not tell.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}
