//! Since thumbnails went live, Kubernetes restarts the image pods whenever a large photo comes in:
//! the liveness probe gets no answer. The pods have memory to spare and their CPU is far from full.
//! Keep as they are, the checks use them: the trait `Codec` and the signature of `make_thumbnail`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

/// Makes the thumbnail of the upload at `path`, on the network disk. The service has one thread: what
/// else runs there keeps getting its turn, and the thread rests when there is none. An upload that
/// cannot be read gives the disk's `io::Error`; a codec that panics gives an error, each time anew.
pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    // ANCHOR: fix
    // A task gives its thread back only at an `.await`, and neither line below has one. So both go
    // to the blocking pool, whose threads serve nothing else.
    let thumbnail = tokio::task::spawn_blocking(move || {
        // The disk blocks its thread just as the codec does, so it moves along.
        let raw = std::fs::read(path)?;
        Ok(codec.resize(&raw))
    });
    // The request waits here without a thread. A panic of the codec comes back as a `JoinError`, and
    // `?` makes an `io::Error` of it.
    thumbnail.await?
    // ANCHOR_END: fix
}

/// Sleeping stands for computing here; the thread is taken either way.
struct Vendor;

impl Codec for Vendor {
    fn resize(&self, raw: &[u8]) -> Vec<u8> {
        std::thread::sleep(Duration::from_millis(1_500));
        raw.iter().step_by(1_000).copied().collect()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let photo = std::env::current_exe()?;
    let request = tokio::spawn(make_thumbnail(photo, Arc::new(Vendor)));
    for _ in 0..5 {
        let asked = Instant::now();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let late = asked.elapsed().as_millis().saturating_sub(100);
        println!("liveness probe: answered {late} ms late");
    }
    println!("thumbnail: {} bytes", request.await??.len());
    Ok(())
}
