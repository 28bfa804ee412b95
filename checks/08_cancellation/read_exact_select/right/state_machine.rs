// right: a frame that is half there is a value; each step of it is one `read`, which may be dropped

use std::io::{Error, ErrorKind, Result};
use std::mem::take;

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
    let mut half = Half::Length([0; 4], 0);
    loop {
        tokio::select! {
            read = terminal.read(half.rest()) => {
                let read = read?;
                if read == 0 {
                    return match half {
                        Half::Length(_, 0) => Ok(()),
                        _ => Err(ErrorKind::UnexpectedEof.into()),
                    };
                }
                if let Some(frame) = half.take(read)? {
                    frames += 1;
                    on_frame(frame);
                }
            }
            Some(pong) = beat.recv() => {
                let _ = pong.send(frames);
            }
        }
    }
}

enum Half {
    Length([u8; 4], usize),
    Body(Vec<u8>, usize),
}

impl Half {
    fn rest(&mut self) -> &mut [u8] {
        match self {
            Half::Length(length, at) => &mut length[*at..],
            Half::Body(body, at) => &mut body[*at..],
        }
    }

    fn take(&mut self, read: usize) -> Result<Option<Vec<u8>>> {
        match self {
            Half::Length(length, at) => {
                *at += read;
                if *at < length.len() {
                    return Ok(None);
                }
                let length = u32::from_be_bytes(*length) as usize;
                if length > MAX_FRAME {
                    let text = format!("a frame of {length} bytes");
                    return Err(Error::new(ErrorKind::InvalidData, text));
                }
                *self = Half::Body(vec![0; length], 0);
            }
            Half::Body(_, at) => *at += read,
        }
        match self {
            Half::Body(body, at) if *at == body.len() => {
                let body = take(body);
                *self = Half::Length([0; 4], 0);
                Ok(Some(body))
            }
            _ => Ok(None),
        }
    }
}
