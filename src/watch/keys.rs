//! The terminal's keys and size.

use crossterm::event::{
    Event as Input, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use futures::StreamExt;
use tokio::sync::mpsc::Sender;

use crate::core::session::{Event, Key, Signal};

pub(super) async fn watch(events: Sender<Event>) {
    let mut inputs = EventStream::new();
    while let Some(Ok(input)) = inputs.next().await {
        let event = match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => meaning(key).map(Event::Key),
            Input::Resize(columns, rows) => Some(Event::Resize {
                width: columns.into(),
                height: rows.into(),
            }),
            _ => None,
        };
        if let Some(event) = event
            && events.send(event).await.is_err()
        {
            return;
        }
    }
    // The terminal is gone; without it nobody could ever stop us.
    let _ = events.send(Event::Signal(Signal::Stop)).await;
}

fn meaning(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if control => Key::CtrlC,
        KeyCode::Char('z') if control => Key::CtrlZ,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Esc => Key::Escape,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        _ => return None,
    })
}
