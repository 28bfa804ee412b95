//! The terminal's keys and size.

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use tokio::sync::mpsc::Sender;

use crate::core::session::{Event, Key, Mouse, Signal};

/// What was typed is there already. Of no time at all crossterm would look at nothing.
#[cfg(unix)]
const AT_ONCE: std::time::Duration = std::time::Duration::from_millis(1);

/// A thread of its own: of a terminal that was hung up, crossterm reads nothing for ever without giving way, and on our
/// only worker that would be a hang of the kind this workbook is about (exercise busy_loop).
#[cfg(unix)]
pub(super) async fn watch(events: Sender<Event>) {
    let reader = events.clone();
    let started = std::thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || read(&reader));
    if started.is_err() {
        let _ = events.send(Event::Signal(Signal::Stop)).await;
    }
    // The thread sleeps in the kernel and ends with the process.
    std::future::pending().await
}

/// Asks the kernel first: only it knows that nobody is there any more.
#[cfg(unix)]
fn read(events: &Sender<Event>) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    let stdin = std::io::stdin();
    loop {
        let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut terminal, None) {
            Err(Errno::INTR) => continue,
            Err(_) => break,
            Ok(_) => {}
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if terminal[0].revents().intersects(gone) {
            break;
        }
        while let Ok(true) = crossterm::event::poll(AT_ONCE) {
            let Ok(input) = crossterm::event::read() else {
                break;
            };
            if let Some(event) = event(input)
                && events.blocking_send(event).is_err()
            {
                return;
            }
        }
    }
    // Without a terminal nobody could ever stop us.
    let _ = events.blocking_send(Event::Signal(Signal::Stop));
}

#[cfg(not(unix))]
pub(super) async fn watch(events: Sender<Event>) {
    use futures::StreamExt;
    let mut inputs = crossterm::event::EventStream::new();
    while let Some(Ok(input)) = inputs.next().await {
        if let Some(event) = event(input)
            && events.send(event).await.is_err()
        {
            return;
        }
    }
    // The terminal is gone; without it nobody could ever stop us.
    let _ = events.send(Event::Signal(Signal::Stop)).await;
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
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Esc => Key::Escape,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    })
}
