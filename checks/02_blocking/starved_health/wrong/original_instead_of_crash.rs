// wrong: check_failed a_photo_that_crashes_the_codec_harms_nobody_else — a customer gets the full photo as thumbnail rather than an error

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let raw = Arc::new(tokio::fs::read(path).await?);
    let photo = raw.clone();
    let thumbnail = tokio::task::spawn_blocking(move || codec.resize(&photo));
    Ok(thumbnail.await.unwrap_or_else(|_| raw.to_vec()))
}
