// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — a scope ends when its threads end, and waits for that with the thread

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let raw = tokio::fs::read(path).await?;
    std::thread::scope(|scope| {
        let thumbnail = scope.spawn(|| codec.resize(&raw));
        thumbnail
            .join()
            .map_err(|_| io::Error::other("the codec panicked"))
    })
}
