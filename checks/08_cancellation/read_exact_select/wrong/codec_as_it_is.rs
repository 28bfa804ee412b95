// wrong: check_failed a_link_that_breaks_is_told — the codec loses nothing; its word for a frame cut off is `Other`

use std::io::Result;

use futures::StreamExt;
use tokio::io::AsyncRead;
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::{FramedRead, LengthDelimitedCodec};

pub type Pong = oneshot::Sender<usize>;

pub const MAX_FRAME: usize = 64 * 1024;

pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    let mut codec = LengthDelimitedCodec::new();
    codec.set_max_frame_length(MAX_FRAME);
    let mut link = FramedRead::new(terminal, codec);
    let mut frames = 0;
    loop {
        tokio::select! {
            frame = link.next() => {
                let Some(frame) = frame else { return Ok(()) };
                frames += 1;
                on_frame(frame?.to_vec());
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}
