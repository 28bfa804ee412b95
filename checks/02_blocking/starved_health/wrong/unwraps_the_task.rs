// wrong: panicked a_photo_that_crashes_the_codec_harms_nobody_else — the work is on the pool, and `unwrap` brings its panic back into the request

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    })
    .await
    .unwrap()
}
