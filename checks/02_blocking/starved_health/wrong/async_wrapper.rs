// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — an async function around synchronous code is still synchronous code

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

async fn read(path: PathBuf) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

async fn resize(codec: Arc<dyn Codec>, raw: Vec<u8>) -> Vec<u8> {
    codec.resize(&raw)
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let raw = read(path).await?;
    Ok(resize(codec, raw).await)
}
