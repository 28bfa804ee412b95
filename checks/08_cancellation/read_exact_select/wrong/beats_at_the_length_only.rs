// wrong: check_failed a_heartbeat_in_mid_frame_is_answered — interruptible before a frame only; once it has begun nobody answers

use std::io::{Error, ErrorKind, Result};

use bytes::BytesMut;
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
    let mut header = BytesMut::new();
    loop {
        let mut rest = (&mut terminal).take(4 - header.len() as u64);
        tokio::select! {
            read = rest.read_buf(&mut header) => match (read?, header.len()) {
                (0, 0) => return Ok(()),
                (0, _) => return Err(ErrorKind::UnexpectedEof.into()),
                _ => {}
            },
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
        let Some(length) = header.first_chunk::<4>() else {
            continue;
        };
        let length = u32::from_be_bytes(*length) as usize;
        if length > MAX_FRAME {
            let text = format!("a frame of {length} bytes");
            return Err(Error::new(ErrorKind::InvalidData, text));
        }
        header.clear();
        let mut body = vec![0; length];
        terminal.read_exact(&mut body).await?;
        frames += 1;
        on_frame(body);
    }
}
