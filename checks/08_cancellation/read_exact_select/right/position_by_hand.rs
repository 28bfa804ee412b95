// right: `read` may be dropped; buffer and position live outside of it

use std::io::{ErrorKind, Result};

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
        let mut length = [0; 4];
        if !fill(&mut terminal, &mut length, true, &mut beat, frames).await? {
            return Ok(());
        }
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_FRAME {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut body = vec![0; length];
        fill(&mut terminal, &mut body, false, &mut beat, frames).await?;
        frames += 1;
        on_frame(body);
    }
}

/// False if the link ends where it may.
async fn fill<R: AsyncRead + Unpin>(
    terminal: &mut R,
    buffer: &mut [u8],
    may_end: bool,
    beat: &mut mpsc::Receiver<Pong>,
    frames: usize,
) -> Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        tokio::select! {
            read = terminal.read(&mut buffer[filled..]) => match read? {
                0 if may_end && filled == 0 => return Ok(false),
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => filled += read,
            },
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
    Ok(true)
}
