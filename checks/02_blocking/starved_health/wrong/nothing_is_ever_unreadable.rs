// wrong: check_failed an_upload_that_cannot_be_read_gives_the_reason — every error of the disk is told as a missing upload: that is what it mostly is

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path).map_err(|_| io::ErrorKind::NotFound)?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
