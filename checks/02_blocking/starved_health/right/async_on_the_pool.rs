// right: a detour through `Handle::block_on`, but it is a thread of the pool that waits

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let runtime = tokio::runtime::Handle::current();
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = runtime.block_on(tokio::fs::read(path))?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
