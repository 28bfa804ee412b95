// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — the blocking pool does the work, and `block_on` waits for it with the thread

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    futures::executor::block_on(thumbnail)?
}
