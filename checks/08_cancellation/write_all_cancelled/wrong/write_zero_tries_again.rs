// wrong: hung:spinning the_till_hears_why_the_link_broke — a link that takes nothing is asked again, without end

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
        self.waiting.push_back(frame);
        match timeout(limit, self.write_waiting()).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    /// Waits until everything is out and the link is flushed, however long that takes.
    pub async fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().await?;
        self.link.flush().await
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(frame) = self.waiting.front_mut() {
            // However this future ends, the frame in `self` is what is left of it: `write_all_buf` takes off its front
            // what is out. `write_all` counts inside its own future, and a dropped one takes the count along.
            while !frame.is_empty() {
                let out = self.link.write(frame).await?;
                let _ = frame.split_to(out);
            }
            self.waiting.pop_front();
        }
        Ok(())
    }
}

fn main() {}
