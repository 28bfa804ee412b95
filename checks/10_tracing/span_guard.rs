//! Payments are polled by hand, so that one ends while the other waits. Each time that a span is entered a
//! trail is taken: a failure names the line that entered last, or else the one that called the gateway.

use std::collections::HashMap;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use futures::future::BoxFuture;
use tokio::sync::watch;
use tracing::subscriber::DefaultGuard;
use tracing::{Instrument, Subscriber, info, info_span, span};
use tracing_subscriber::Registry;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::exercise::{Gateway, PayError, TxId, pay};

#[test]
fn a_payment_is_logged_under_its_user() {
    lab::paused(|| async {
        let bank = Bank::random();
        for (user, answer) in [(bank.a, bank.good()), (bank.b, bank.bad())] {
            bank.answers(user, answer.clone());
            let told = pay(user, &bank).await;
            lab::expect_eq(&told, &answer, format!("what user {user} is told"));
            let (event, fields) = match &answer {
                Ok(tx) => ("charged", format!("tx={}", tx.0)),
                Err(reason) => ("declined", format!("reason={:?}", reason.0)),
            };
            bank.expect_under(event, user);
            let seen = bank.only(event).fields;
            lab::expect_eq(seen, fields, format!("what the log says with `{event}`"));
        }
        lab::expect_eq(bank.charges(), 2, "charges at the gateway for 2 payments");
    });
}

#[test]
fn two_payments_at_once_are_each_logged_under_their_own_user() {
    lab::paused(|| async {
        let bank = Bank::random();
        let (mut a, mut b) = (pin!(pay(bank.a, &bank)), pin!(pay(bank.b, &bank)));
        bank.expect_waiting(a.as_mut());
        bank.expect_waiting(b.as_mut());
        if bank.charges() != 2 {
            lab::fail(
                "one customer looks for the PIN, and the next one cannot pay before it is found",
            )
            .expected("2 payments at the gateway at once")
            .seen(format!("{} of 2", bank.charges()))
            .raise();
        }
        bank.answers(bank.a, bank.good());
        bank.expect_ended(a.as_mut());
        bank.expect_under("charged", bank.a);
        bank.answers(bank.b, bank.bad());
        bank.expect_ended(b.as_mut());
        bank.expect_under("declined", bank.b);
    });
}

#[test]
fn a_line_of_nobody_stands_in_no_payment() {
    lab::paused(|| async {
        let bank = Bank::random();
        {
            let mut a = pin!(pay(bank.a, &bank));
            bank.expect_waiting(a.as_mut());
            bank.expect_nobodys("while a payment waits for the gateway");
            bank.answers(bank.a, bank.good());
            bank.expect_ended(a.as_mut());
        }
        bank.expect_nobodys("after a payment");
    });
}

#[test]
fn what_the_gateway_logs_stands_in_its_payment() {
    lab::paused(|| async {
        let bank = Bank::random();
        let mut a = pin!(pay(bank.a, &bank));
        bank.expect_waiting(a.as_mut());
        bank.expect_under("the gateway asks for the PIN", bank.a);
        bank.answers(bank.a, bank.good());
        bank.expect_ended(a.as_mut());
        bank.expect_under("the gateway has an answer", bank.a);
        if bank.opened() != 1 {
            lab::fail("support follows one payment, and its lines stand in more than one span")
                .expected("1 span `pay` for one payment")
                .seen(format!("{} of them, all of user {}", bank.opened(), bank.a))
                .raise();
        }
    });
}

#[test]
fn a_payment_that_is_given_up_leaves_no_span_behind() {
    lab::paused(|| async {
        let bank = Bank::random();
        {
            let mut a = pin!(pay(bank.a, &bank));
            bank.expect_waiting(a.as_mut());
        }
        bank.expect_nobodys("after the customer closed the page");
        bank.expect_closed("the customer closed the page");
        bank.answers(bank.b, bank.good());
        let _ = pay(bank.b, &bank).await;
        bank.expect_closed("a payment has ended");
    });
}

#[test]
fn the_span_of_the_request_stays_around_the_payment() {
    lab::paused(|| async {
        let bank = Bank::random();
        // The same customer at once in two windows.
        let request = |number| {
            let request = async { pay(bank.a, &bank).await };
            request.instrument(info_span!("request", number))
        };
        let mut requests = [pin!(request(1)), pin!(request(2))];
        for request in &mut requests {
            bank.expect_waiting(request.as_mut());
        }
        bank.answers(bank.a, bank.good());
        for (request, number) in requests.iter_mut().zip(1..) {
            bank.expect_ended(request.as_mut());
            let spans = bank.newest("charged").spans;
            let own = format!("request{{number={number}}}");
            if spans.first() != Some(&own) {
                lab::fail("the log of a request does not show the payment that it made")
                    .expected(format!("`charged` in {own}, and there in its payment"))
                    .seen(in_spans("charged", &spans))
                    .raise();
            }
            bank.expect_payment("charged", &spans, bank.a);
        }
    });
}

#[test]
fn a_payment_can_be_spawned() {
    lab::plain(|| {
        let bank = Bank::random();
        lab::assert_send(&pay(bank.a, &bank));
    });
}

type Answer = Result<TxId, PayError>;

struct Bank {
    a: u64,
    b: u64,
    answers: Mutex<HashMap<u64, watch::Sender<Option<Answer>>>>,
    charges: Mutex<usize>,
    heard: lab::RecSub,
    payments: Arc<Payments>,
}

thread_local! {
    // Not in `Bank`: a gateway can be shared by threads, this guard belongs to one.
    static LISTENING: std::cell::RefCell<Option<DefaultGuard>> = const { std::cell::RefCell::new(None) };
}

/// Notes who enters a span, and counts the payments' spans.
#[derive(Clone, Default)]
struct Doors(Arc<Payments>);

#[derive(Default)]
struct Payments {
    opened: AtomicUsize,
    closed: AtomicUsize,
}

static ENTERED: AtomicBool = AtomicBool::new(false);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Doors {
    fn on_new_span(&self, span: &span::Attributes<'_>, _: &span::Id, _: Context<'_, S>) {
        if span.metadata().name() == "pay" {
            self.0.opened.fetch_add(1, Relaxed);
        }
    }

    fn on_close(&self, id: span::Id, context: Context<'_, S>) {
        if context.span(&id).is_some_and(|span| span.name() == "pay") {
            self.0.closed.fetch_add(1, Relaxed);
        }
    }

    fn on_enter(&self, id: &span::Id, context: Context<'_, S>) {
        // The checks' own.
        if context
            .span(id)
            .is_some_and(|span| span.name() == "request")
        {
            return;
        }
        ENTERED.store(true, Relaxed);
        let _ = lab::Trail::here();
    }
}

impl Bank {
    /// Also listens to what is logged from here on.
    fn random() -> Bank {
        let mut rng = lab::random();
        let a = rng.range(1_000..500_000);
        let heard = lab::RecSub::default();
        let doors = Doors::default();
        let log = Registry::default().with(heard.clone()).with(doors.clone());
        // As in production: what is below `info` is not kept.
        let log = log.with(LevelFilter::INFO);
        LISTENING.set(Some(tracing::subscriber::set_default(log)));
        Bank {
            a,
            b: a + rng.range(1..100_000),
            answers: Mutex::default(),
            charges: Mutex::default(),
            heard,
            payments: doors.0,
        }
    }

    fn good(&self) -> Answer {
        Ok(TxId(lab::random().u64()))
    }

    fn bad(&self) -> Answer {
        let reason = format!("no money: {:x}", lab::random().u64());
        Err(PayError(reason))
    }

    fn answers(&self, user: u64, answer: Answer) {
        self.desk(user).send_replace(Some(answer));
    }

    fn desk(&self, user: u64) -> watch::Sender<Option<Answer>> {
        let mut answers = self.answers.lock().unwrap();
        let new = || watch::Sender::new(None);
        answers.entry(user).or_insert_with(new).clone()
    }

    fn charges(&self) -> usize {
        *self.charges.lock().unwrap()
    }

    fn expect_waiting(&self, payment: Pin<&mut impl Future<Output = Answer>>) {
        let waits = lab::poll_once(payment, &lab::CountingWaker::new()).is_pending();
        lab::expect(
            waits,
            "the gateway has not answered, and the payment has ended",
        );
    }

    fn expect_ended(&self, payment: Pin<&mut impl Future<Output = Answer>>) {
        let ended = lab::poll_once(payment, &lab::CountingWaker::new());
        let ended = matches!(ended, Poll::Ready(_));
        lab::expect(
            ended,
            "the gateway has answered, and the payment still waits",
        );
    }

    /// The one event of this name that no earlier call has seen.
    fn only(&self, event: &str) -> lab::Said {
        let mut all = self.heard.all(event);
        if all.len() != 1 {
            lab::fail(format!(
                "after one payment support looks for `{event}` in the log"
            ))
            .expected("1 line")
            .seen(format!("{} lines", all.len()))
            .raise();
        }
        all.remove(0)
    }

    fn newest(&self, event: &str) -> lab::Said {
        self.heard.all(event).pop().unwrap_or_else(|| {
            lab::fail(format!(
                "a payment has ended, and `{event}` is not in the log"
            ))
            .raise()
        })
    }

    fn opened(&self) -> usize {
        self.payments.opened.load(Relaxed)
    }

    fn expect_closed(&self, when: &str) {
        let open = self.opened() - self.payments.closed.load(Relaxed);
        if open != 0 {
            lab::fail(format!(
                "{when}, and the log holds the payment for one that still goes on"
            ))
            .expected("no span `pay` is open")
            .seen(format!("{open} of {} still open", self.opened()))
            .raise();
        }
    }

    fn expect_under(&self, event: &str, user: u64) {
        self.expect_payment(event, &self.only(event).spans, user);
    }

    fn expect_payment(&self, event: &str, spans: &[String], user: u64) {
        let payments: Vec<_> = spans
            .iter()
            .filter(|span| span.starts_with("pay{"))
            .collect();
        let own = format!("user={user}");
        let right = |span: &str| {
            span.trim_end_matches('}')[4..]
                .split(' ')
                .any(|field| field == own)
        };
        if payments.len() != 1 || !right(payments[0]) {
            lab::fail(format!(
                "support does not find `{event}` in the log of user {user} and only there"
            ))
            .expected(format!("`{event}` in pay{{user={user}}}"))
            .seen(in_spans(event, spans))
            .raise();
        }
    }

    fn expect_nobodys(&self, when: &str) {
        info!("it is noon");
        let spans = self.heard.all("it is noon").pop().expect("just said").spans;
        if !spans.is_empty() {
            lab::fail(format!(
                "a line that belongs to no payment stands in the log of one, {when}"
            ))
            .expected("`it is noon` in no span")
            .seen(in_spans("it is noon", &spans))
            .raise();
        }
    }
}

fn in_spans(event: &str, spans: &[String]) -> String {
    match spans {
        [] => format!("`{event}` in no span"),
        spans => format!("`{event}` in {}", spans.join(", and there in ")),
    }
}

impl Gateway for Bank {
    fn charge(&self, user: u64) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            if !ENTERED.load(Relaxed) {
                let _ = lab::Trail::here();
            }
            *self.charges.lock().unwrap() += 1;
            info!("the gateway asks for the PIN");
            let mut desk = self.desk(user).subscribe();
            let answer = desk
                .wait_for(Option::is_some)
                .await
                .expect("the bank is there")
                .clone();
            info!("the gateway has an answer");
            answer.expect("waited for it")
        })
    }
}
