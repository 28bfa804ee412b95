// right: a pattern that does not match switches the answering off, not the reading

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
    let frames = std::cell::Cell::new(0);
    let reading = async {
        while let Some(frame) = read_frame(&mut terminal).await? {
            frames.set(frames.get() + 1);
            on_frame(frame);
        }
        Ok(())
    };
    let answering = async {
        while let Some(pong) = beat.recv().await {
            let _ = pong.send(frames.get());
        }
        None::<()>
    };
    tokio::select! {
        ended = reading => ended,
        Some(()) = answering => Ok(()),
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
