// wrong: check_failed a_heartbeat_is_answered_while_frame_after_frame_comes — the same, and its reading does not even give way to other tasks

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::unconstrained;

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut frames = 0;
    loop {
        let mut reading = pin!(unconstrained(read_frame(&mut terminal)));
        let frame = loop {
            tokio::select! {
                biased;
                frame = &mut reading => break frame?,
                Some(pong) = beat.recv() => {
                    let _ = pong.send(frames);
                }
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
