// wrong: check_failed nobody_answers_for_a_link_that_is_gone — the task that answers is aborted behind the last `.await`, and a dropped future never gets there

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{mpsc, oneshot};

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let frames = Arc::new(AtomicUsize::new(0));
    let count = frames.clone();
    let answering = tokio::spawn(async move {
        while let Some(pong) = beat.recv().await {
            let _ = pong.send(count.load(SeqCst));
        }
    });
    let ended = loop {
        match read_frame(&mut terminal).await {
            Ok(Some(frame)) => {
                frames.fetch_add(1, SeqCst);
                on_frame(frame);
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    answering.abort();
    ended
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
