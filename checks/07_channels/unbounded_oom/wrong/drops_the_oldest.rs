// wrong: check_failed what_emit_took_reaches_bi_once_and_in_order — a ring: the oldest event makes room, although it was answered Ok

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
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
        let mut events = self.shared.events.lock().unwrap();
        if events.len() == self.shared.cap {
            events.pop_front();
        }
        events.push_back(event);
        self.shared.more.notify_one();
        Ok(())
    }
}

impl EventRx {
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.shared.events.lock().unwrap().pop_front() {
                return Some(event);
            }
            if Arc::strong_count(&self.shared) == 1 {
                return None;
            }
            self.shared.more.notified().await;
        }
    }
}

#[derive(Default)]
struct Shared {
    cap: usize,
    events: Mutex<VecDeque<Event>>,
    more: Notify,
}
