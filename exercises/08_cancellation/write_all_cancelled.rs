//! A till sends its sales to headquarters over a mobile link, as lines of JSON. Since `send` has a limit of 50 ms, so
//! that no till freezes, headquarters reads `{"sale":2,"wo{"sale":2,"won":3800}` at rush hour, and cannot book it.
//! The checks use `SendError` and `Uplink` with its `new`, `send` and `flush`: keep the signatures; bodies and private
//! fields are yours.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, duplex};
use tokio::time::{sleep, timeout};

#[derive(Debug)]
pub enum SendError {
    /// The limit is over. The uplink keeps what is not out yet; the caller does not send it again, and slows down.
    Timeout,
    /// The link is broken, or takes no bytes any more (a write that says `Ok(0)`). From then on nothing goes out.
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
        while let Some(frame) = self.waiting.front() {
            // TODO: when the limit is over, some of this frame may be out. Who knows how much?
            self.link.write_all(frame).await?;
            self.waiting.pop_front();
        }
        Ok(())
    }
}

#[tokio::main]
async fn main() {
    let (link, mut mast) = duplex(8);
    let till = async {
        let mut uplink = Uplink::new(link);
        for (sale, won) in [(1, 4500), (2, 3800), (3, 5000)] {
            let line = format!("{{\"sale\":{sale},\"won\":{won}}}\n");
            let sent = uplink.send(line.into(), Duration::from_millis(50)).await;
            println!("till: sale {sale} of {won} won: {sent:?}");
            sleep(Duration::from_millis(20)).await;
        }
        println!("till: closed for today: {:?}", uplink.flush().await);
    };
    let headquarters = async move {
        let (mut text, mut part) = (Vec::new(), [0; 4]);
        while let Ok(read @ 1..) = mast.read(&mut part).await {
            text.extend_from_slice(&part[..read]);
            sleep(Duration::from_millis(15)).await;
        }
        String::from_utf8_lossy(&text).into_owned()
    };
    let (_, text) = tokio::join!(till, headquarters);
    for line in text.lines() {
        println!("headquarters: {line}");
    }
}
