// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — a semaphore limits how many block the thread at once; one is enough

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

static TURN: Semaphore = Semaphore::const_new(1);

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let _turn = TURN.acquire().await.map_err(io::Error::other)?;
    let raw = tokio::fs::read(path).await?;
    let thumbnail = tokio::spawn(async move { codec.resize(&raw) });
    Ok(thumbnail.await?)
}
