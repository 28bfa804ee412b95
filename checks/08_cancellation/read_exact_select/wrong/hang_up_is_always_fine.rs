// wrong: check_failed a_link_that_breaks_is_told — a read of nothing is the end, whatever is left in the buffer

use std::io::{Error, ErrorKind, Result};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut buffer = BytesMut::new();
    let mut frames = 0;
    loop {
        tokio::select! {
            read = terminal.read_buf(&mut buffer) => {
                if read? == 0 {
                    return Ok(());
                }
                while let Some(frame) = next_frame(&mut buffer)? {
                    frames += 1;
                    on_frame(frame);
                }
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}

/// Takes a whole frame out of the buffer, if one is there.
fn next_frame(buffer: &mut BytesMut) -> Result<Option<Vec<u8>>> {
    let Some(length) = buffer.first_chunk::<4>() else {
        return Ok(None);
    };
    let length = u32::from_be_bytes(*length) as usize;
    if length > MAX_FRAME {
        let text = format!("a frame of {length} bytes");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    if buffer.len() < 4 + length {
        return Ok(None);
    }
    buffer.advance(4);
    Ok(Some(buffer.split_to(length).to_vec()))
}
