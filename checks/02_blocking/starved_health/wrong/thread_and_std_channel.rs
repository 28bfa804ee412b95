// wrong: hung:blocked a_large_photo_does_not_silence_the_liveness_probe — the other thread is right; `recv` of a standard channel waits with the thread, not with the task

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let (done, result) = mpsc::channel();
    std::thread::spawn(move || {
        let thumbnail = std::fs::read(path).map(|raw| codec.resize(&raw));
        let _ = done.send(thumbnail);
    });
    result.recv().map_err(io::Error::other)?
}
