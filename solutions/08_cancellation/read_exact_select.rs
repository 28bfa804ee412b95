//! Card terminals hang on slow mobile links. Since the reader of a link also answers the supervisor's heartbeat,
//! links break several times an hour: "a frame of 2003791360 bytes". No terminal has ever sent one like it.
//! Keep `Pong`, `MAX_FRAME` and the signature of `read_frames`, the checks use them; the bodies are yours.

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, duplex};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

/// The supervisor asks with one of these; the answer is how many frames have been read so far.
pub type Pong = oneshot::Sender<usize>;

/// The most bytes that the body of a frame has.
pub const MAX_FRAME: usize = 64 * 1024;

/// Gives each frame to `on_frame` as soon as its last byte is there, and answers each beat at once: it never waits for
/// the terminal first, be it silent or sending without a rest, nor for time to pass. Who does not answer is restarted.
/// A terminal may rest as long as it likes, in a frame too. When the supervisor leaves, the reading goes on.
///
/// `Ok` when the terminal hangs up between two frames, `UnexpectedEof` when it does in the middle of one,
/// `InvalidData` for a frame longer than `MAX_FRAME`; else the error of the link. Afterwards nobody answers, nor when
/// the caller has dropped the future.
pub async fn read_frames<R: AsyncRead + Unpin + Send + 'static>(
    mut terminal: R,
    mut beat: mpsc::Receiver<Pong>,
    mut on_frame: impl FnMut(Vec<u8>),
) -> Result<()> {
    // ANCHOR: fix
    let mut frames = 0;
    loop {
        // `read_exact` keeps what it has read in its future, and a future that loses in `select!` is dropped. So one
        // future reads a whole frame: it is made outside the inner loop, and in there only borrowed.
        let mut reading = pin!(read_frame(&mut terminal));
        let frame = loop {
            tokio::select! {
                frame = &mut reading => break frame?,
                // `recv` may be dropped: what it has not handed out stays in the channel.
                Some(pong) = beat.recv() => {
                    let _ = pong.send(frames);
                }
            }
        };
        let Some(frame) = frame else { return Ok(()) };
        frames += 1;
        on_frame(frame);
    }
    // ANCHOR_END: fix
}

/// Four bytes of length, then the body. `None` if the terminal hangs up before the first byte.
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

#[tokio::main]
async fn main() {
    let (mut radio, link) = duplex(64);
    let (beats, beat) = mpsc::channel(1);
    let terminal = async move {
        for receipt in ["latte, 4500 won", "bagel, 3800 won", "mocha, 5000 won"] {
            radio.write_u32(receipt.len() as u32).await?;
            for part in receipt.as_bytes().chunks(4) {
                radio.write_all(part).await?;
                sleep(Duration::from_millis(30)).await;
            }
        }
        Result::Ok(())
    };
    let supervisor = async move {
        loop {
            sleep(Duration::from_millis(200)).await;
            let (pong, answer) = oneshot::channel();
            if beats.send(pong).await.is_err() {
                break;
            }
            println!("supervisor: frames so far: {:?}", answer.await);
        }
    };
    let reading = read_frames(link, beat, |frame| {
        println!("booked: {}", String::from_utf8_lossy(&frame));
    });
    let (ended, _, _) = tokio::join!(reading, terminal, supervisor);
    println!("the link has ended: {ended:?}");
}
