// wrong: check_failed every_frame_is_booked_once_and_in_order — all frames are handed over at once when the terminal hangs up

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
    let mut whole = Vec::new();
    loop {
        tokio::select! {
            read = terminal.read_buf(&mut buffer) => {
                if read? == 0 {
                    whole.drain(..).for_each(&mut on_frame);
                    return match buffer.is_empty() {
                        true => Ok(()),
                        false => Err(ErrorKind::UnexpectedEof.into()),
                    };
                }
                while let Some(frame) = next_frame(&mut buffer)? {
                    whole.push(frame);
                }
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(whole.len());
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
