// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — with tokio::fs every line that does I/O is async, and the one that computes is not

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::spawn(async move {
        let raw = tokio::fs::read(path).await?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
