// right: `future::select` instead of the macro: it gives back the one that loses, here only a loan; it asks the first one first

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;

use futures::future::{self, Either};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut frames = 0;
    loop {
        let mut reading = pin!(read_frame(&mut terminal));
        let frame = loop {
            match future::select(pin!(beat.recv()), reading.as_mut()).await {
                Either::Left((Some(pong), _)) => {
                    let _ = pong.send(frames);
                }
                Either::Left((None, reading)) => break reading.await?,
                Either::Right((frame, _)) => break frame?,
            }
        };
        let Some(frame) = frame else { return Ok(()) };
        frames += 1;
        on_frame(frame);
    }
}

async fn read_frame<R: AsyncRead + Unpin>(terminal: &mut R) -> Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let read = terminal.read(&mut length).await?;
    if read == 0 {
        return Ok(None);
    }
    terminal.read_exact(&mut length[read..]).await?;
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_FRAME {
        let text = format!("a frame of {length} bytes");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    let mut body = vec![0; length];
    terminal.read_exact(&mut body).await?;
    Ok(Some(body))
}
