// wrong: check_failed a_day_of_limits_loses_no_sale_and_sends_none_twice — `send` of a sink waits for room first, and a dropped one takes its frame along

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
        match timeout(limit, self.sink.send(frame)).await {
            Ok(written) => written.map_err(SendError::Io),
            Err(_) => Err(SendError::Timeout),
        }
    }

    pub async fn flush(&mut self) -> io::Result<()> {
        SinkExt::<Bytes>::flush(&mut self.sink).await
    }
}
