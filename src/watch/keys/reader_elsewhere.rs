//! Keys where the terminal library's own stream can be relied upon; lines from a thread that the process ends with.

use crossterm::event::EventStream;
use futures::StreamExt;
use tokio::sync::mpsc::Sender;
use tokio::sync::watch;

use super::{Typing, event};
use crate::core::session::{Event, Signal};

/// Holds the reader off while another program has the terminal, or it would eat that one's keys. A line that is being
/// read cannot be held off.
#[derive(Debug, Clone)]
pub struct Keyboard {
    resting: watch::Sender<bool>,
}

impl Keyboard {
    pub async fn rest(&self) {
        self.resting.send_replace(true);
        // The stream is dropped in the reader's own turn.
        tokio::task::yield_now().await;
    }

    pub fn go_on(&self) {
        self.resting.send_replace(false);
    }
}

pub(in super::super) fn start(typing: Typing, events: Sender<Event>) -> Keyboard {
    let (resting, rests) = watch::channel(false);
    match typing {
        Typing::Keys => drop(tokio::spawn(keys(rests, events))),
        Typing::Lines => drop(std::thread::spawn(move || lines(&events))),
    }
    Keyboard { resting }
}

/// Ends with the last `Keyboard`.
async fn keys(mut rests: watch::Receiver<bool>, events: Sender<Event>) {
    while rests.wait_for(|rests| !rests).await.is_ok() {
        let mut inputs = EventStream::new();
        loop {
            // Cancel safe: both only look.
            let input = tokio::select! {
                input = inputs.next() => input,
                changed = rests.changed() => match changed {
                    Ok(()) => break,
                    Err(_) => return,
                },
            };
            let Some(Ok(input)) = input else {
                // The terminal is gone; without it nobody could ever stop us.
                let _ = events.send(Event::Signal(Signal::Stop)).await;
                return;
            };
            if let Some(event) = event(input)
                && events.send(event).await.is_err()
            {
                return;
            }
        }
    }
}

fn lines(events: &Sender<Event>) {
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        if events.blocking_send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.blocking_send(Event::NoMoreLines);
}
