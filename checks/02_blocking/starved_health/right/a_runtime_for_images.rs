// right: a second runtime, made once, may block its own workers; the probe lives on the first

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

static IMAGES: LazyLock<Runtime> = LazyLock::new(|| {
    let mut images = Builder::new_multi_thread();
    images
        .worker_threads(2)
        .build()
        .expect("the system gives two threads")
});

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let thumbnail = IMAGES.spawn(async move {
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    thumbnail.await?
}
