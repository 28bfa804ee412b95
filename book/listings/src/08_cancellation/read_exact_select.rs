//! Reading frames while something else may come in between.

#![allow(
    clippy::disallowed_methods,
    reason = "a task that owns a link is what is shown"
)]

use std::io::{Error, ErrorKind, Result};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;
use tokio_util::codec::{FramedRead, LengthDelimitedCodec};

const MAX_FRAME: usize = 64 * 1024;

// ANCHOR: fault
pub async fn read_frames<R: AsyncRead + Unpin>(
    mut link: R,
    mut beats: mpsc::Receiver<()>,
) -> Result<()> {
    loop {
        tokio::select! {
            frame = read_frame(&mut link) => println!("{} bytes", frame?.len()),
            Some(()) = beats.recv() => println!("still here"),
        }
    }
}

async fn read_frame<R: AsyncRead + Unpin>(link: &mut R) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    link.read_exact(&mut length).await?;
    let mut body = vec![0; body_of(length)?];
    link.read_exact(&mut body).await?;
    Ok(body)
}
// ANCHOR_END: fault

fn body_of(length: [u8; 4]) -> Result<usize> {
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_FRAME {
        let text = format!("a frame of {length} bytes");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    Ok(length)
}

// ANCHOR: own_buffer
pub struct Frames<R> {
    link: R,
    /// What was read and is not yet a whole frame. It outlives each call of `next`.
    read: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// The next frame, or `None` at the end of the link.
    ///
    /// # Cancel safety
    /// May be dropped and called again: nothing that was read is kept in its future.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            if let Some(frame) = self.take_frame()? {
                return Ok(Some(frame));
            }
            if self.link.read_buf(&mut self.read).await? == 0 {
                return match self.read.is_empty() {
                    true => Ok(None),
                    false => Err(ErrorKind::UnexpectedEof.into()),
                };
            }
        }
    }

    fn take_frame(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(length) = self.read.first_chunk::<4>() else {
            return Ok(None);
        };
        let end = 4 + body_of(*length)?;
        if self.read.len() < end {
            return Ok(None);
        }
        Ok(Some(self.read.drain(..end).skip(4).collect()))
    }
}
// ANCHOR_END: own_buffer

// ANCHOR: reader_task
pub fn frames_of<R>(mut link: R) -> mpsc::Receiver<Result<Vec<u8>>>
where
    R: AsyncRead + Unpin + Send + 'static,
{
    let (frames, read) = mpsc::channel(8);
    tokio::spawn(async move {
        loop {
            let frame = read_frame(&mut link).await;
            let last = frame.is_err();
            if frames.send(frame).await.is_err() || last {
                return;
            }
        }
    });
    read
}
// ANCHOR_END: reader_task

// ANCHOR: codec
pub fn framed<R: AsyncRead>(link: R) -> FramedRead<R, LengthDelimitedCodec> {
    LengthDelimitedCodec::builder()
        .max_frame_length(MAX_FRAME)
        // Each frame has its four bytes of length in front: cut them off.
        .num_skip(0)
        .length_adjustment(4)
        .new_read(link)
}
// ANCHOR_END: codec

// ANCHOR: buffer_outside
/// Wrong: the buffer survives the call, and how much of it is filled does not.
pub async fn read_body<R: AsyncRead + Unpin>(link: &mut R, body: &mut [u8]) -> Result<()> {
    link.read_exact(body).await?;
    Ok(())
}
// ANCHOR_END: buffer_outside
