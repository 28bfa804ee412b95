//! `Line` is what the card company sees: charges that come in, and when the connection is closed. It can
//! keep its answers back until somebody lets them go, or until a number of charges is under way at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Barrier, Semaphore, oneshot, watch};
use tokio::{task::JoinSet, time::timeout};

use crate::exercise::vendor::{Host, KgError, KgSdk, TxId};
use crate::exercise::{Gateway, vendor};

#[test]
fn a_charge_gets_the_answer_of_the_card_company() {
    in_a_service(|| async {
        let line = Line::answering_at_once();
        let gateway = line.gateway_kept();
        for n in 0..4 {
            let amount = 3 * random_amount() + n;
            let answer = gateway.charge(amount).await;
            line.expect_answer(answer, amount);
        }
        let came = line.came.lock().unwrap().len();
        lab::expect_eq(
            came,
            4,
            "charges that the card company got for four of ours",
        );
        if let Some(panic) = lab::Panics::seen().first() {
            lab::fail("the charges were answered, after a panic: each puts one into the log")
                .expected("no panic")
                .seen(&panic.message)
                .at(&panic.at)
                .raise();
        }
    });
}

#[test]
fn other_requests_go_on_during_a_charge() {
    in_a_service(|| async {
        let line = Line::keeping_its_answers();
        let probe = tokio::spawn(line.clone().answer_the_first());
        let amount = random_amount();
        let answer = line.gateway_kept().charge(amount).await;
        line.expect_answer(answer, amount);
        probe.await.unwrap();
    });
}

#[test]
fn charges_do_not_wait_for_each_other() {
    in_a_service(|| async {
        let crowd = lab::random().range(8..16_usize);
        let line = Line::waiting_for_a_crowd(crowd);
        let gateway = line.gateway_kept();
        let mut customers = JoinSet::new();
        for _ in 0..crowd {
            let amount = random_amount();
            customers.spawn(async move { (amount, gateway.charge(amount).await) });
        }
        while let Some(customer) = customers.join_next().await {
            match customer {
                Ok((amount, answer)) => line.expect_answer(answer, amount),
                Err(_) => lab::fail("a customer got a 500: the charge panicked").raise(),
            }
        }
    });
}

#[test]
fn a_gateway_can_be_dropped_in_a_handler() {
    in_a_service(|| async {
        let line = Line::answering_at_once();
        let gateway = line.gateway();
        let _ = gateway.charge(random_amount()).await;
        line.drop_gateway(gateway, "in a handler");
        line.expect_closed("in a handler").await;
    });
}

#[test]
fn a_gateway_can_be_dropped_during_a_charge() {
    in_a_service(|| async {
        let line = Line::keeping_its_answers();
        let gateway = line.gateway();
        let mut handler = tokio::spawn(async move { gateway.charge(random_amount()).await });
        tokio::select! {
            _ = line.first_charge() => {}
            _ = &mut handler => lab::fail("a charge ended before the card company got it").raise(),
        }
        handler.abort();
        let _ = handler.await;
        line.answers.add_permits(1);
        line.expect_closed("by a handler whose customer hung up")
            .await;
        lab::expect(
            line.finished.load(SeqCst),
            "the customer hung up, and the charge that was under way was cut off half-way",
        );
    });
}

#[test]
fn a_gateway_can_be_dropped_when_no_runtime_is_left() {
    outside_any_runtime(|| {
        let line = Line::answering_at_once();
        let runtime = some_runtime();
        let gateway = runtime.block_on(async {
            let gateway = line.gateway();
            let _ = gateway.charge(random_amount()).await;
            gateway
        });
        drop(runtime);
        let whose = "after the service's runtime";
        line.drop_gateway(gateway, whose);
        some_runtime().block_on(line.expect_closed(whose));
    });
}

#[test]
fn a_gateway_can_be_dropped_by_a_runtime_that_shuts_down() {
    outside_any_runtime(|| {
        let (one_thread, workers) = (Builder::new_current_thread(), Builder::new_multi_thread());
        for (mut builder, late) in [(one_thread, false), (workers, true)] {
            let line = Line::answering_at_once();
            let runtime = builder.worker_threads(1).enable_all().build().unwrap();
            runtime.block_on(async {
                let gateway = line.gateway();
                let _ = gateway.charge(random_amount()).await;
                let (up, is_up) = oneshot::channel();
                tokio::spawn(async move {
                    let _gateway = gateway;
                    let _first = late.then(|| UntilThePoolIsClosed(Handle::current()));
                    up.send(()).unwrap();
                    std::future::pending::<()>().await;
                });
                is_up.await.unwrap();
            });
            drop(runtime);
            let whose = "by a runtime that shuts down";
            some_runtime().block_on(line.expect_closed(whose));
        }
    });
}

#[test]
fn the_sdk_is_still_the_one_that_was_delivered() {
    outside_any_runtime(|| {
        let sdk = Line::answering_at_once().sdk();
        let charge: fn(&KgSdk, u64) -> Result<TxId, KgError> = KgSdk::charge;
        let dropped_in_async_code = std::thread::spawn(move || {
            let _ = charge(&sdk, 1);
            some_runtime().block_on(async move { drop(sdk) });
        });
        lab::expect(
            dropped_in_async_code.join().is_err(),
            "the module `vendor` was changed: the next delivery of the SDK will undo that",
        );
    });
}

/// Whatever does the blocking, a pool or a runtime made for the SDK alone, may stay.
fn in_a_service<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::real_time().may_leave_running().run(body);
}

fn outside_any_runtime(body: impl FnOnce() + Send + 'static) {
    in_a_service(|| async {
        let (done, is_done) = oneshot::channel();
        std::thread::spawn(move || {
            body();
            done.send(()).unwrap();
        });
        is_done.await.unwrap();
    });
}

type Answer = Result<TxId, KgError>;

struct Line {
    key: u64,
    came: Mutex<Vec<u64>>,
    comes: watch::Sender<bool>,
    answers: Semaphore,
    crowd: Barrier,
    finished: AtomicBool,
    closed: watch::Sender<bool>,
    closed_by_a_panic: AtomicBool,
    asked: Mutex<Option<lab::Trail>>,
}

impl Line {
    fn new(answers: usize, crowd: usize) -> Arc<Line> {
        Arc::new(Line {
            key: lab::random().range(1_000..1_000_000),
            came: Mutex::default(),
            comes: watch::Sender::new(false),
            answers: Semaphore::new(answers),
            crowd: Barrier::new(crowd),
            finished: AtomicBool::new(false),
            closed: watch::Sender::new(false),
            closed_by_a_panic: AtomicBool::new(false),
            asked: Mutex::default(),
        })
    }

    fn answering_at_once() -> Arc<Line> {
        Line::new(Semaphore::MAX_PERMITS, 1)
    }

    fn keeping_its_answers() -> Arc<Line> {
        Line::new(0, 1)
    }

    fn waiting_for_a_crowd(crowd: usize) -> Arc<Line> {
        Line::new(Semaphore::MAX_PERMITS, crowd)
    }

    fn sdk(self: &Arc<Self>) -> KgSdk {
        KgSdk::connect(Arc::new(Connection(self.clone())))
    }

    fn gateway(self: &Arc<Self>) -> Gateway {
        Gateway::new(self.sdk())
    }

    /// For checks that are not about its end: nobody drops it.
    fn gateway_kept(self: &Arc<Self>) -> &'static Gateway {
        Box::leak(Box::new(self.gateway()))
    }

    /// Every third amount is refused.
    fn answer_to(&self, amount: u64) -> Answer {
        match amount % 3 {
            0 => Err(KgError(format!("refused, see {}", amount ^ self.key))),
            _ => Ok(TxId(amount ^ self.key)),
        }
    }

    fn expect_answer(&self, answer: Answer, amount: u64) {
        let what = format!("the answer to a charge of {amount}");
        lab::expect_eq(answer, self.answer_to(amount), what);
    }

    async fn first_charge(&self) {
        let _ = self.comes.subscribe().wait_for(|comes| *comes).await;
    }

    /// The liveness probe, say: it needs a turn on the service's thread.
    async fn answer_the_first(self: Arc<Self>) {
        self.first_charge().await;
        self.answers.add_permits(1);
    }

    /// The gateway's line, not that of the SDK which it calls.
    fn last_call(&self) -> Option<lab::Place> {
        let asked = self.asked.lock().unwrap();
        asked.as_ref().and_then(|trail| trail.places().pop())
    }

    fn drop_gateway(&self, gateway: Gateway, whose: &str) {
        let _ = catch_unwind(AssertUnwindSafe(|| drop(gateway)));
        self.expect_no_panic(whose);
    }

    fn expect_no_panic(&self, whose: &str) {
        if let Some(panic) = lab::Panics::seen().first() {
            lab::fail(format!(
                "the gateway was dropped {whose}, and that panicked: {}",
                panic.message
            ))
            .at(&panic.at)
            .at(self.last_call())
            .raise();
        }
        // Whoever keeps the panic from the log cannot keep it from what is dropped meanwhile.
        if self.closed_by_a_panic.load(SeqCst) {
            lab::fail(format!(
                "the gateway was dropped {whose}, and that panicked, unheard: the next panic that is \
                 kept from the log may be one that matters"
            ))
            .at(self.last_call())
            .raise();
        }
    }

    /// Looks more often than a starved machine could need, and returns as soon as it is closed.
    async fn expect_closed(&self, whose: &str) {
        let mut closed = self.closed.subscribe();
        for _ in 0..100 {
            let look = timeout(Duration::from_millis(20), closed.wait_for(|closed| *closed));
            if look.await.is_ok() {
                return self.expect_no_panic(whose);
            }
        }
        self.expect_no_panic(whose);
        lab::fail(format!(
            "the gateway was dropped {whose}, and its connection stays open: the card company allows \
             only so many"
        ))
        .at(self.last_call())
        .raise();
    }
}

/// The SDK owns it, so it is dropped with the SDK.
struct Connection(Arc<Line>);

impl Host for Connection {
    fn charge(&self, amount: u64) -> BoxFuture<'_, Answer> {
        *self.0.asked.lock().unwrap() = Some(lab::Trail::here());
        Box::pin(async move {
            let line = &self.0;
            line.came.lock().unwrap().push(amount);
            line.comes.send_replace(true);
            line.answers.acquire().await.unwrap().forget();
            line.crowd.wait().await;
            line.finished.store(true, SeqCst);
            line.answer_to(amount)
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let panics = std::thread::panicking();
        self.0.closed_by_a_panic.fetch_or(panics, SeqCst);
        self.0.closed.send_replace(true);
    }
}

/// Its drop ends when the blocking pool takes no more jobs. A runtime of workers closes the pool while its
/// tasks are dropped, so whether a gateway comes before or after that would be luck. On one thread the
/// tasks always come first, and this would never end.
struct UntilThePoolIsClosed(Handle);

impl Drop for UntilThePoolIsClosed {
    fn drop(&mut self) {
        let ran = Arc::new(AtomicBool::new(true));
        while ran.swap(false, SeqCst) {
            let runs = ran.clone();
            let job = self.0.spawn_blocking(move || runs.store(true, SeqCst));
            while !job.is_finished() {
                std::thread::yield_now();
            }
        }
    }
}

fn some_runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn random_amount() -> u64 {
    lab::random().range(1_000..1_000_000)
}
