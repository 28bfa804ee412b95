// wrong: check_failed a_heartbeat_in_mid_frame_is_answered — the bytes are kept; a rest of 50 ms before each answer, against a flood of beats

use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut frames = 0;
    let mut buf = Vec::new();
    loop {
        while buf.len() >= 4 {
            let length = u32::from_be_bytes([buf[0], buf[1], buf[2], buf[3]]) as usize;
            if length > MAX_FRAME {
                let text = format!("a frame of {length} bytes");
                return Err(Error::new(ErrorKind::InvalidData, text));
            }
            if buf.len() < 4 + length {
                break;
            }
            let frame = buf[4..4 + length].to_vec();
            buf.drain(..4 + length);
            frames += 1;
            on_frame(frame);
        }
        tokio::select! {
            read = terminal.read_buf(&mut buf) => {
                if read? == 0 {
                    if buf.is_empty() {
                        return Ok(());
                    }
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Some(pong) = beat.recv() => {
                sleep(Duration::from_millis(50)).await;
                let _ = pong.send(frames);
            }
        }
    }
}
