// wrong: panicked an_upload_gets_its_thumbnail — it tells the runtime to move the others to another worker; here there is none

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    tokio::task::block_in_place(move || {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    })
}
