//! What a library warns of by `tracing`, as sentences.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Level, Metadata, Subscriber};

/// Runs the work and listens, on this thread.
pub(super) fn heard<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let said = Arc::default();
    let done = with_default(Listener(Arc::clone(&said)), work);
    let said = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
    (done, said)
}

struct Listener(Arc<Mutex<Vec<String>>>);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // The less, the worse.
        *metadata.level() <= Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut sentence = Sentence(String::new());
        event.record(&mut sentence);
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(sentence.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Sentence(String);

impl Visit for Sentence {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
        }
    }
}
