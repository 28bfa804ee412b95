// right: a codec keeps what it has not decoded yet, the length too; it says `Other` where the contract says `UnexpectedEof`

use std::io::{ErrorKind, Result};

use futures::StreamExt;
use tokio::io::AsyncRead;
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::LengthDelimitedCodec;

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    // What is taken out of the buffer too early is not missed at the end of the link.
    let mut link = LengthDelimitedCodec::builder()
        .max_frame_length(MAX_FRAME)
        .num_skip(0)
        .length_adjustment(4)
        .new_read(terminal);
    let mut frames = 0;
    loop {
        tokio::select! {
            frame = link.next() => match frame {
                Some(Ok(frame)) => {
                    frames += 1;
                    on_frame(frame[4..].to_vec());
                }
                // Bytes remain, says the decoder.
                Some(Err(error)) if error.kind() == ErrorKind::Other => {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            },
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}
