// wrong: check_failed a_heartbeat_in_mid_frame_costs_no_byte — a long frame holds the link for long, so it alone still gives way to a beat

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    let length = AtomicUsize::new(0);
    'frames: loop {
        let mut reading = pin!(read_frame(&mut terminal, &length));
        let frame = loop {
            tokio::select! {
                frame = &mut reading => break frame?,
                Some(pong) = beat.recv() => {
                    let _ = pong.send(frames);
                    if length.swap(0, Relaxed) > 1024 {
                        continue 'frames;
                    }
                }
            }
        };
        let Some(frame) = frame else { return Ok(()) };
        frames += 1;
        on_frame(frame);
    }
}

async fn read_frame<R: AsyncRead + Unpin>(
    terminal: &mut R,
    announced: &AtomicUsize,
) -> Result<Option<Vec<u8>>> {
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
    announced.store(length, Relaxed);
    let mut body = vec![0; length];
    terminal.read_exact(&mut body).await?;
    Ok(Some(body))
}
