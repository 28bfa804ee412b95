// wrong: check_failed every_upload_gets_its_own_thumbnail — no photo was ever larger than the buffer, until one was

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = tokio::task::spawn_blocking(move || {
        let mut raw = vec![0; 4 << 20];
        let length = File::open(path)?.read(&mut raw)?;
        Ok(codec.resize(&raw[..length]))
    });
    thumbnail.await?
}
