// wrong: check_failed the_thread_rests_while_a_photo_is_resized — every turn goes to the others, and comes back at once: the CPU is never idle again

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    while !thumbnail.is_finished() {
        tokio::task::yield_now().await;
    }
    thumbnail.await?
}
