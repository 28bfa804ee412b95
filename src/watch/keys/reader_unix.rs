//! A thread of its own: of a terminal that was hung up, crossterm reads nothing for ever without giving way, and on our
//! only worker that would be a hang of the kind this workbook is about (exercise busy_loop).

use std::io::{self, Read, Stdin, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;

use super::{Typing, event};
use crate::core::session::{Event, Signal};

const REST: u8 = b'r';
const GO_ON: u8 = b'g';
/// What was typed is there already. Of no time at all crossterm would look at nothing.
const AT_ONCE: Duration = Duration::from_millis(1);
/// A longer line is nobody's key.
const MAX_LINE: usize = 4096;

/// Holds the reader off while another program has the terminal, or it would eat that one's keys.
#[derive(Debug, Clone)]
pub struct Keyboard {
    orders: Option<Arc<UnixStream>>,
    rests: Arc<Notify>,
}

impl Keyboard {
    /// Returns once nothing is read any more.
    pub async fn rest(&self) {
        if self.order(REST) {
            self.rests.notified().await;
        }
    }

    pub fn go_on(&self) {
        self.order(GO_ON);
    }

    fn order(&self, order: u8) -> bool {
        // A reader that is gone eats nothing.
        let Some(mut orders) = self.orders.as_deref() else {
            return false;
        };
        orders.write_all(&[order]).is_ok()
    }
}

/// The thread ends when the last `Keyboard` is dropped, or with the terminal.
pub(in super::super) fn start(typing: Typing, events: Sender<Event>) -> Keyboard {
    let rests = Arc::new(Notify::new());
    let started = UnixStream::pair().and_then(|(ours, theirs)| {
        let reader = Reader {
            typing,
            events: events.clone(),
            orders: theirs,
            rests: rests.clone(),
            line: Vec::new(),
        };
        let thread = std::thread::Builder::new().name("keys".to_owned());
        thread.spawn(move || reader.run())?;
        Ok(Arc::new(ours))
    });
    if started.is_err() {
        // Without keys nobody could ever stop us. The channel is new, and has room.
        let _ = events.try_send(Event::Signal(Signal::Stop));
    }
    Keyboard {
        orders: started.ok(),
        rests,
    }
}

struct Reader {
    typing: Typing,
    events: Sender<Event>,
    orders: UnixStream,
    rests: Arc<Notify>,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
}

/// Nothing more is to be read.
enum End {
    /// Nobody listens any more.
    Unheard,
    /// The terminal is gone: without it nobody could ever stop us.
    Gone,
    /// Lines have an end: Ctrl-D, or that of a pipe.
    Finished,
}

impl Reader {
    fn run(mut self) {
        let stdin = io::stdin();
        let end = loop {
            if let Err(end) = self.turn(&stdin) {
                break end;
            }
        };
        // Whoever waits for rest has it now.
        self.rests.notify_one();
        let _ = match end {
            End::Unheard => return,
            End::Gone => self.events.blocking_send(Event::Signal(Signal::Stop)),
            End::Finished => self.events.blocking_send(Event::NoMoreLines),
        };
    }

    /// Asks the kernel first: only it knows that nobody is there any more.
    fn turn(&mut self, stdin: &Stdin) -> Result<(), End> {
        let (heard, ordered) = {
            let mut both = [
                PollFd::new(stdin, PollFlags::IN),
                PollFd::new(&self.orders, PollFlags::IN),
            ];
            match poll(&mut both, None) {
                Err(Errno::INTR) => return Ok(()),
                Err(_) => return Err(End::Gone),
                Ok(_) => (both[0].revents(), both[1].revents()),
            }
        };
        if !ordered.is_empty() {
            return self.obey();
        }
        let gone = heard.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL);
        match self.typing {
            Typing::Keys if gone => Err(End::Gone),
            Typing::Keys => self.keys(),
            // A pipe that was closed may still have something in it; reading says when it has not.
            Typing::Lines if heard.intersects(PollFlags::NVAL) => Err(End::Gone),
            Typing::Lines => self.lines(stdin),
        }
    }

    /// Told to rest it reads nothing until it is told to go on.
    fn obey(&mut self) -> Result<(), End> {
        while self.order()? == REST {
            self.rests.notify_one();
        }
        Ok(())
    }

    /// Waits for an order.
    fn order(&mut self) -> Result<u8, End> {
        let mut order = [0];
        match self.orders.read_exact(&mut order) {
            Ok(()) => Ok(order[0]),
            Err(_) => Err(End::Unheard),
        }
    }

    fn keys(&self) -> Result<(), End> {
        while let Ok(true) = crossterm::event::poll(AT_ONCE) {
            let Ok(input) = crossterm::event::read() else {
                break;
            };
            if let Some(event) = event(input) {
                self.tell(event)?;
            }
        }
        Ok(())
    }

    fn lines(&mut self, stdin: &Stdin) -> Result<(), End> {
        let mut bytes = [0; 1024];
        // Past the standard library's buffer, of which `poll` would know nothing.
        let read = match rustix::io::read(stdin, &mut bytes) {
            Ok(0) => return Err(End::Finished),
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(()),
            Err(_) => return Err(End::Gone),
        };
        for &byte in &bytes[..read] {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.line).into_owned();
                self.line.clear();
                self.tell(Event::Line(line))?;
            } else if self.line.len() < MAX_LINE {
                self.line.push(byte);
            }
        }
        Ok(())
    }

    fn tell(&self, event: Event) -> Result<(), End> {
        self.events.blocking_send(event).map_err(|_| End::Unheard)
    }
}
