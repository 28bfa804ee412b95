// wrong: check_failed looking_for_an_upload_does_not_silence_the_liveness_probe — the read has moved away; the look whether there is something to read asks the same disk

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    if !path.exists() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
