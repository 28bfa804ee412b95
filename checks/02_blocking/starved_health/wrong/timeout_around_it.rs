// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — a timeout is looked at between two polls, and this poll does not end

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let work = async {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    };
    match tokio::time::timeout(Duration::from_secs(1), work).await {
        Ok(thumbnail) => thumbnail,
        Err(late) => Err(late.into()),
    }
}
