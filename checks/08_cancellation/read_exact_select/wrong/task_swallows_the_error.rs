// wrong: check_failed a_link_that_breaks_is_told — the task ends at an error, and its channel ends just as it does after the last frame

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
    let (sender, mut read) = mpsc::channel(8);
    tokio::spawn(async move {
        while let Ok(Some(frame)) = read_frame(&mut terminal).await {
            if sender.send(frame).await.is_err() {
                return;
            }
        }
    });
    let mut frames = 0;
    loop {
        tokio::select! {
            frame = read.recv() => {
                let Some(frame) = frame else { return Ok(()) };
                frames += 1;
                on_frame(frame);
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
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
