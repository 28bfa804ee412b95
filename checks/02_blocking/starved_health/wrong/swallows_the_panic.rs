// wrong: check_failed a_photo_that_crashes_the_codec_harms_nobody_else — caught, and answered with an empty thumbnail that nobody reports

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let raw = std::fs::read(path)?;
        let resize = AssertUnwindSafe(|| codec.resize(&raw));
        Ok(catch_unwind(resize).unwrap_or_default())
    });
    thumbnail.await?
}
