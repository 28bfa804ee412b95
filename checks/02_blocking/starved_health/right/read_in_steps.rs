// right: slower than one read on the pool, but every step is awaited

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::task::spawn_blocking;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let mut upload = File::open(path).await?;
    let mut raw = Vec::new();
    while upload.read_buf(&mut raw).await? > 0 {}
    let thumbnail = spawn_blocking(move || codec.resize(&raw)).await;
    thumbnail.map_err(|crash| io::Error::other(format!("the codec panicked: {crash}")))
}
