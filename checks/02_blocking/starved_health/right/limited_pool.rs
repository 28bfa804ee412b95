// right: at most four photos in work at once, so that a rush does not fill the memory

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

static TURNS: Semaphore = Semaphore::const_new(4);

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let _turn = TURNS.acquire().await.map_err(io::Error::other)?;
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
