// wrong: check_failed a_heartbeat_in_mid_frame_costs_no_byte — the buffer survives the beat, and the next `read_exact` fills it from its beginning again

use std::io::{Error, ErrorKind, Result};

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
    let mut length = [0; 4];
    let mut body = vec![0; MAX_FRAME];
    loop {
        tokio::select! {
            size = read_into(&mut terminal, &mut length, &mut body) => {
                let Some(size) = size? else { return Ok(()) };
                frames += 1;
                on_frame(body[..size].to_vec());
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}

async fn read_into<R: AsyncRead + Unpin>(
    terminal: &mut R,
    length: &mut [u8; 4],
    body: &mut [u8],
) -> Result<Option<usize>> {
    let read = terminal.read(length).await?;
    if read == 0 {
        return Ok(None);
    }
    terminal.read_exact(&mut length[read..]).await?;
    let size = u32::from_be_bytes(*length) as usize;
    if size > MAX_FRAME {
        let text = format!("a frame of {size} bytes");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    terminal.read_exact(&mut body[..size]).await?;
    Ok(Some(size))
}
