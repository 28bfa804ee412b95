// wrong: panicked an_upload_gets_its_thumbnail — its own runtime for each upload cannot be entered from a thread that already drives one

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async move {
        let raw = tokio::fs::read(path).await?;
        Ok(codec.resize(&raw))
    })
}
