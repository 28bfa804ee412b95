// wrong: check_failed a_caller_who_gives_up_costs_no_earlier_sale — a caller who gives up takes everything along but the sale that is half out

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

#[derive(Debug)]
pub enum SendError {
    /// The limit is over. The uplink keeps what is not out yet; the caller does not send it again, and slows down.
    Timeout,
    /// The link is broken, or takes no bytes any more (a write that says `Ok(0)`).
    Io(io::Error),
}

/// What was given to `send` goes out whole, once, and in order: at once, with a later `send`, or with `flush`. Only the
/// frame of a caller who gives up, by dropping the future, may be left out, and only as a whole.
pub struct Uplink<W> {
    link: W,
    /// Not out yet, the oldest first.
    waiting: VecDeque<Bytes>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let waiting = VecDeque::new();
        Uplink { link, waiting }
    }

    /// Answers after `limit` at the latest; `Ok` when everything is out, this frame too: the link has taken it, and need
    /// not be flushed. The caller may give up at any time.
    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        let mut guard = GivenUp {
            waiting: &mut self.waiting,
            ended: false,
        };
        guard.waiting.push_back(frame);
        let answer = match timeout(limit, write_all(guard.waiting, &mut self.link)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        };
        guard.ended = true;
        answer
    }

    /// Waits until everything is out and the link is flushed, however long that takes.
    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        write_all(&mut self.waiting, &mut self.link).await
    }
}

async fn write_all<W: AsyncWrite + Unpin>(
    waiting: &mut VecDeque<Bytes>,
    link: &mut W,
) -> io::Result<()> {
    while let Some(frame) = waiting.front_mut() {
        link.write_all_buf(frame).await?;
        waiting.pop_front();
    }
    Ok(())
}

/// For a frame whose caller gives up.
struct GivenUp<'u> {
    waiting: &'u mut VecDeque<Bytes>,
    ended: bool,
}

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.waiting.truncate(1);
        }
    }
}

fn main() {}
