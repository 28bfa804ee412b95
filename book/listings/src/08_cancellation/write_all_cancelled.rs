//! Sending frames with a limit on the wait, over a link that may take a part of them.

#![allow(
    clippy::disallowed_methods,
    reason = "a task that owns a link is what is shown"
)]

use std::collections::VecDeque;
use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Duration, timeout};

pub enum SendError {
    Timeout,
    Link(io::Error),
}

// ANCHOR: fault
pub async fn send<W: AsyncWrite + Unpin>(
    link: &mut W,
    frame: &[u8],
    limit: Duration,
) -> Result<(), SendError> {
    match timeout(limit, link.write_all(frame)).await {
        Ok(sent) => sent.map_err(SendError::Link),
        // The caller sends the frame again. How much of it is out? The future that knew it is gone.
        Err(_) => Err(SendError::Timeout),
    }
}
// ANCHOR_END: fault

// ANCHOR: rest
pub struct Uplink<W> {
    link: W,
    /// What was accepted and is not on the wire yet. It may begin in the middle of a frame.
    rest: VecDeque<u8>,
}

impl<W: AsyncWrite + Unpin> Uplink<W> {
    /// `Timeout`: the frame is accepted, and not all of it is out yet. It goes out before the next one.
    ///
    /// # Cancel safety
    /// May be dropped: each byte is either written or in `rest`.
    pub async fn send(&mut self, frame: &[u8], limit: Duration) -> Result<(), SendError> {
        self.rest.extend(frame);
        match timeout(limit, self.flush()).await {
            Ok(sent) => sent.map_err(SendError::Link),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        self.link.write_all_buf(&mut self.rest).await?;
        self.link.flush().await
    }
}
// ANCHOR_END: rest

// ANCHOR: by_hand
/// The same with `write`, which writes some bytes and says how many, or writes none.
pub async fn write_rest<W: AsyncWrite + Unpin>(
    link: &mut W,
    rest: &mut VecDeque<u8>,
) -> io::Result<()> {
    while !rest.is_empty() {
        let written = link.write(rest.make_contiguous()).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest.drain(..written);
    }
    Ok(())
}
// ANCHOR_END: by_hand

// ANCHOR: writer_task
/// Nobody interrupts the writing. Whoever sends waits for a place, and a place is a whole frame.
pub fn frames_to<W>(mut link: W) -> mpsc::Sender<Vec<u8>>
where
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (frames, mut queue) = mpsc::channel::<Vec<u8>>(8);
    tokio::spawn(async move {
        while let Some(frame) = queue.recv().await {
            if link.write_all(&frame).await.is_err() {
                return;
            }
        }
    });
    frames
}
// ANCHOR_END: writer_task
