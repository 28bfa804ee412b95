// wrong: check_failed a_heartbeat_in_mid_frame_costs_no_byte — both parts outlive a beat; one that comes together with the length costs the length

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;

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
        let length = {
            let mut reading = pin!(read_length(&mut terminal));
            loop {
                tokio::select! {
                    length = &mut reading => break length?,
                    Some(pong) = beat.recv() => {
                        let _ = pong.send(frames);
                    }
                }
            }
        };
        let Some(length) = length else { return Ok(()) };
        if let Ok(pong) = beat.try_recv() {
            let _ = pong.send(frames);
            continue;
        }
        let mut body = vec![0; length];
        {
            let mut reading = pin!(terminal.read_exact(&mut body));
            loop {
                tokio::select! {
                    read = &mut reading => {
                        read?;
                        break;
                    }
                    Some(pong) = beat.recv() => {
                        let _ = pong.send(frames);
                    }
                }
            }
        }
        frames += 1;
        on_frame(body);
    }
}

async fn read_length<R: AsyncRead + Unpin>(terminal: &mut R) -> Result<Option<usize>> {
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
    Ok(Some(length))
}
