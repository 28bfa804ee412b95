// wrong: check_failed two_terminals_are_kept_apart — the buffer outlives the future, and belongs to every link

use std::io::{Error, ErrorKind, Result};
use std::sync::Mutex;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

static BUF: Mutex<Vec<u8>> = Mutex::new(Vec::new());

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut frames = 0;
    BUF.lock().unwrap().clear();
    loop {
        let mut buf = std::mem::take(&mut *BUF.lock().unwrap());
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
        let mut chunk = [0; 512];
        *BUF.lock().unwrap() = buf;
        tokio::select! {
            read = terminal.read(&mut chunk) => {
                let read = read?;
                let mut buf = BUF.lock().unwrap();
                buf.extend_from_slice(&chunk[..read]);
                if read == 0 {
                    if buf.is_empty() {
                        return Ok(());
                    }
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}
