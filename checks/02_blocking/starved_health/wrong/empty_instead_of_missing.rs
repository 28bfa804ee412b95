// wrong: check_failed a_missing_upload_is_reported_as_missing — with `unwrap_or_default` the closure needs no error type

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path).unwrap_or_default();
        codec.resize(&raw)
    });
    Ok(thumbnail.await?)
}
