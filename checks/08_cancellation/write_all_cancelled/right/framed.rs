// right: a sink has a buffer of its own, and its `flush` may be dropped

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::SinkExt;
use tokio::io::AsyncWrite;
use tokio::time::timeout;
use tokio_util::codec::{BytesCodec, FramedWrite};

#[derive(Debug)]
pub enum SendError {
    Timeout,
    Io(io::Error),
}

pub struct Uplink<W> {
    sink: FramedWrite<W, BytesCodec>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Uplink<W> {
    pub fn new(link: W) -> Self {
        let sink = FramedWrite::new(link, BytesCodec::new());
        Uplink { sink }
    }

    pub async fn send(&mut self, frame: Bytes, limit: Duration) -> Result<(), SendError> {
        // Takes the frame whole, however full the buffer is.
        let sink: &mut FramedWrite<W, BytesCodec> = &mut self.sink;
        sink.start_send_unpin(frame).map_err(SendError::Io)?;
        match timeout(limit, SinkExt::<Bytes>::flush(sink)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        SinkExt::<Bytes>::flush(&mut self.sink).await
    }
}
