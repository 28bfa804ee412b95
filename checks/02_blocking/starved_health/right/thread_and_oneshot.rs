// right: a thread of its own is dearer than the pool, but the request waits without blocking one

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::oneshot;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let (done, thumbnail) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = done.send(std::fs::read(path).map(|raw| codec.resize(&raw)));
    });
    thumbnail
        .await
        .map_err(|_| io::Error::other("the codec panicked"))?
}
