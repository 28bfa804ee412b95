// right: the panic is caught where it happens, and still told as an error

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
        catch_unwind(AssertUnwindSafe(|| codec.resize(&raw)))
            .map_err(|_| io::Error::other("the codec panicked"))
    });
    thumbnail.await?
}
