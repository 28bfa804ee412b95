// right: the file by tokio::fs, the codec by the blocking pool

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let raw = tokio::fs::read(path).await?;
    Ok(tokio::task::spawn_blocking(move || codec.resize(&raw)).await?)
}
