//! One connection for many callers.

use std::sync::Mutex;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

/// A connection that carries one question at a time.
pub trait Wire: Send {
    fn ask(&mut self, question: u64) -> BoxFuture<'_, i64>;
}

// ANCHOR: fault
pub struct Slot {
    wire: Mutex<Option<Box<dyn Wire>>>,
}

impl Slot {
    pub async fn ask(&self, question: u64) -> Option<i64> {
        let mut wire = self.wire.lock().unwrap().take()?;
        let answer = wire.ask(question).await;
        *self.wire.lock().unwrap() = Some(wire);
        Some(answer)
    }
}
// ANCHOR_END: fault

impl Slot {
    pub fn new(wire: Box<dyn Wire>) -> Slot {
        let wire = Mutex::new(Some(wire));
        Slot { wire }
    }
}

pub struct LockedSlot {
    wire: tokio::sync::Mutex<Option<Box<dyn Wire>>>,
}

impl LockedSlot {
    pub fn new(wire: Box<dyn Wire>) -> LockedSlot {
        let wire = tokio::sync::Mutex::new(Some(wire));
        LockedSlot { wire }
    }

    // ANCHOR: lock_and_take
    pub async fn ask(&self, question: u64) -> Option<i64> {
        let mut slot = self.wire.lock().await;
        let mut wire = slot.take()?;
        let answer = wire.ask(question).await;
        // A caller who goes away stops above this line: the lock is free, and the slot is empty.
        *slot = Some(wire);
        Some(answer)
    }
    // ANCHOR_END: lock_and_take
}

// ANCHOR: owner_task
type Question = (u64, oneshot::Sender<i64>);

#[derive(Clone)]
pub struct Line {
    questions: mpsc::Sender<Question>,
}

impl Line {
    pub fn new(mut wire: Box<dyn Wire>) -> Line {
        let (questions, mut inbox) = mpsc::channel::<Question>(8);
        tokio::spawn(async move {
            while let Some((question, reply)) = inbox.recv().await {
                let answer = wire.ask(question).await;
                // An error says that the caller has gone: the wire is in order, and the next one is served.
                let _ = reply.send(answer);
            }
        });
        Line { questions }
    }

    /// `None` when the task that owns the wire has ended.
    pub async fn ask(&self, question: u64) -> Option<i64> {
        let (reply, answer) = oneshot::channel();
        self.questions.send((question, reply)).await.ok()?;
        answer.await.ok()
    }
}
// ANCHOR_END: owner_task
