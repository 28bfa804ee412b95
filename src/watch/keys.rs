//! The terminal's keys and size; or lines, where a terminal can do no more.

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};

use crate::core::session::{Event, Key, Mouse};

#[cfg_attr(unix, path = "keys/reader_unix.rs")]
#[cfg_attr(not(unix), path = "keys/reader_elsewhere.rs")]
mod reader;

pub use reader::Keyboard;
pub(super) use reader::start;

/// What somebody types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typing {
    /// Each key by itself, in raw mode.
    Keys,
    /// Lines, as the terminal's driver or a pipe hands them over.
    Lines,
}

fn event(input: Input) -> Option<Event> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => meaning(key).map(Event::Key),
        Input::Mouse(mouse) => done_with(mouse).map(Event::Mouse),
        Input::Resize(columns, rows) => Some(Event::Resize {
            width: columns.into(),
            height: rows.into(),
        }),
        _ => None,
    }
}

fn done_with(mouse: MouseEvent) -> Option<Mouse> {
    Some(match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Mouse::Click {
            column: mouse.column.into(),
            row: mouse.row.into(),
        },
        MouseEventKind::ScrollUp => Mouse::WheelUp,
        MouseEventKind::ScrollDown => Mouse::WheelDown,
        _ => return None,
    })
}

fn meaning(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if control => Key::CtrlC,
        KeyCode::Char('z') if control => Key::CtrlZ,
        KeyCode::Char('h') if control => Key::Backspace,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Esc => Key::Escape,
        KeyCode::Enter => Key::Enter,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        _ => return None,
    })
}
