//! What was logged, and in which span.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber, span};
use tracing_subscriber::Registry;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::session::lock;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub message: String,
    /// `name=value`, separated by spaces, without the message.
    pub fields: String,
    /// Each span around it, outermost first: `pay{user=7}`.
    pub spans: Vec<String>,
}

/// A tracing subscriber that remembers each event with the spans it was in. It is the default of the *thread* that
/// calls [`RecSub::listen`], until the guard is dropped: use it with `paused`. Tokio's own spans are left out.
///
/// Determinism: D0. A symmetric `join!` does not show a span in the wrong task: finish the first one first.
#[derive(Debug, Clone, Default)]
pub struct RecSub {
    said: Arc<Mutex<Vec<Said>>>,
}

impl RecSub {
    #[must_use]
    pub fn listen() -> (RecSub, DefaultGuard) {
        let listener = RecSub::default();
        let guard = tracing::subscriber::set_default(Registry::default().with(listener.clone()));
        (listener, guard)
    }

    #[must_use]
    pub fn said(&self) -> Vec<Said> {
        lock(&self.said).clone()
    }

    /// The events with this message.
    #[must_use]
    pub fn all(&self, message: &str) -> Vec<Said> {
        self.said()
            .into_iter()
            .filter(|said| said.message == message)
            .collect()
    }
}

struct SpanFields(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for RecSub {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        !metadata.target().starts_with("tokio") && !metadata.target().starts_with("runtime")
    }

    fn on_new_span(
        &self,
        attributes: &span::Attributes<'_>,
        id: &span::Id,
        context: Context<'_, S>,
    ) {
        let mut text = Text::default();
        attributes.record(&mut text);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(SpanFields(text.fields));
        }
    }

    fn on_record(&self, id: &span::Id, values: &span::Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(SpanFields(fields)) = extensions.get_mut() {
            let mut text = Text {
                message: String::new(),
                fields: std::mem::take(fields),
            };
            values.record(&mut text);
            *fields = text.fields;
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let spans = context
            .event_scope(event)
            .into_iter()
            .flat_map(|scope| scope.from_root());
        let spans = spans
            .map(|span| {
                let extensions = span.extensions();
                let fields = extensions
                    .get::<SpanFields>()
                    .map_or("", |fields| fields.0.as_str());
                format!("{}{{{fields}}}", span.name())
            })
            .collect();
        lock(&self.said).push(Said {
            message: text.message,
            fields: text.fields,
            spans,
        });
    }
}

#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        } else {
            let gap = if self.fields.is_empty() { "" } else { " " };
            let _ = write!(self.fields, "{gap}{}={value:?}", field.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_heard_with_its_spans_and_without_them_alone() {
        let (heard, _guard) = RecSub::listen();
        tracing::info_span!("pay", user = 7).in_scope(|| tracing::info!(amount = 3, "charged"));
        tracing::info!("bystander");
        let charged = Said {
            message: "charged".into(),
            fields: "amount=3".into(),
            spans: vec!["pay{user=7}".into()],
        };
        assert_eq!(heard.all("charged"), [charged]);
        assert!(heard.all("bystander")[0].spans.is_empty());
    }
}
