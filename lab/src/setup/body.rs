//! The future around a check's body: it carries the virtual deadline and explains itself when asked.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Sleep;

use crate::hang::{self, Kind};
use crate::session::{Driver, Session};

pub(super) fn watched<'a>(
    body: impl Future<Output = ()> + 'a,
    session: Arc<Session>,
    deadline: Option<Duration>,
) -> impl Future<Output = ()> + 'a {
    WatchedBody {
        body: Box::pin(hang::rooted(body)),
        session,
        deadline,
        alarm: None,
    }
}

struct WatchedBody<F> {
    body: Pin<Box<F>>,
    session: Arc<Session>,
    deadline: Option<Duration>,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<F: Future<Output = ()>> Future for WatchedBody<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        this.enter();
        this.session.keep_waker(context.waker());
        if let Some(kind) = this.session.asked_for() {
            hang::explain_waiting(&this.session, kind, context, |context| {
                this.body.as_mut().poll(context).is_ready()
            });
        }
        let done = this.body.as_mut().poll(context);
        if done.is_pending() && this.alarm_rang(context) && this.session.claim_verdict() {
            hang::explain_waiting(&this.session, Kind::Waiting, context, |context| {
                this.body.as_mut().poll(context).is_ready()
            });
        }
        this.leave();
        done
    }
}

impl<F> WatchedBody<F> {
    /// A worker runtime has no hooks for the thread of `block_on`.
    fn enter(&self) {
        if self.session.driver == Driver::Workers {
            self.session.body_thread.set_parked(false);
        }
    }

    fn leave(&self) {
        if self.session.driver == Driver::Workers {
            self.session.body_thread.set_parked(true);
        }
    }

    fn alarm_rang(&mut self, context: &mut Context<'_>) -> bool {
        let Some(deadline) = self.deadline else {
            return false;
        };
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(deadline)));
        // A coop budget that the body used up must not put the alarm off.
        let alarm = std::pin::pin!(tokio::task::coop::unconstrained(alarm.as_mut()));
        alarm.poll(context).is_ready()
    }
}
