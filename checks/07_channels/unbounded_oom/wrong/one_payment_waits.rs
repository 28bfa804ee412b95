// wrong: check_failed what_emit_took_reaches_bi_once_and_in_order — room for one waker: of several payments that wait only the last is woken

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use bytes::Bytes;
use futures::task::AtomicWaker;
use tokio::sync::Notify;

pub struct Event {
    pub tx: u64,
    pub raw: Bytes,
    pub record: [u8; 1024],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusError {
    Full,
    Closed,
}

pub struct EventBus {
    shared: Arc<Shared>,
}

pub struct EventRx {
    shared: Arc<Shared>,
}

impl EventBus {
    pub fn new(cap: usize) -> (EventBus, EventRx) {
        let shared = Arc::new(Shared {
            cap,
            ..Shared::default()
        });
        (
            EventBus {
                shared: shared.clone(),
            },
            EventRx { shared },
        )
    }

    pub async fn emit(&self, event: Event) -> Result<(), BusError> {
        let mut event = Some(event);
        poll_fn(|context| {
            let mut queue = self.shared.queue.lock().unwrap();
            if queue.reader_is_gone {
                return Poll::Ready(Err(BusError::Closed));
            }
            if queue.events.len() < self.shared.cap {
                queue.events.extend(event.take());
                self.shared.more.notify_one();
                return Poll::Ready(Ok(()));
            }
            self.shared.room.register(context.waker());
            Poll::Pending
        })
        .await
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            {
                let mut queue = self.shared.queue.lock().unwrap();
                if let Some(event) = queue.events.pop_front() {
                    self.shared.room.wake();
                    return Some(event);
                }
                if queue.bus_is_gone {
                    return None;
                }
            }
            self.shared.more.notified().await;
        }
    }
}

#[derive(Default)]
struct Shared {
    cap: usize,
    queue: Mutex<Queue>,
    room: AtomicWaker,
    more: Notify,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<Event>,
    bus_is_gone: bool,
    reader_is_gone: bool,
}

impl Drop for EventBus {
    fn drop(&mut self) {
        self.shared.queue.lock().unwrap().bus_is_gone = true;
        self.shared.more.notify_one();
    }
}

impl Drop for EventRx {
    fn drop(&mut self) {
        self.shared.queue.lock().unwrap().reader_is_gone = true;
        self.shared.room.wake();
    }
}
