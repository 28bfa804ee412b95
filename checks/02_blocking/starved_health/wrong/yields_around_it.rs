// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — the others get a turn before and after, and none during

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::spawn(async move {
        tokio::task::yield_now().await;
        let raw = std::fs::read(path)?;
        tokio::task::yield_now().await;
        let thumbnail = codec.resize(&raw);
        tokio::task::yield_now().await;
        Ok(thumbnail)
    });
    thumbnail.await?
}
