// wrong: hung:blocked a_slow_disk_does_not_silence_the_liveness_probe — the codec was the suspect; the disk blocks the thread just as well

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let raw = std::fs::read(path)?;
    Ok(tokio::task::spawn_blocking(move || codec.resize(&raw)).await?)
}
