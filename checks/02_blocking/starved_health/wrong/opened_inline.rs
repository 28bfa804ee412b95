// wrong: hung:blocked a_slow_disk_does_not_silence_the_liveness_probe — only `open` stayed behind, and on a slow disk that is enough

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::fs::File;
use tokio::io::AsyncReadExt;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let mut upload = File::from_std(std::fs::File::open(path)?);
    let mut raw = Vec::new();
    upload.read_to_end(&mut raw).await?;
    Ok(tokio::task::spawn_blocking(move || codec.resize(&raw)).await?)
}
