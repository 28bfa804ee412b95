// wrong: hung:blocked a_rush_of_uploads_does_not_silence_the_liveness_probe — a bounded queue is right; `send` of a standard one waits for room with the thread

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::{LazyLock, Mutex, mpsc};

use tokio::sync::oneshot;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

type Job = Box<dyn FnOnce() + Send>;

static JOBS: LazyLock<mpsc::SyncSender<Job>> = LazyLock::new(|| {
    let (jobs, queue) = mpsc::sync_channel::<Job>(64);
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..4 {
        let queue = queue.clone();
        std::thread::spawn(move || {
            loop {
                let job = queue.lock().unwrap().recv();
                match job {
                    Ok(job) => job(),
                    Err(_) => return,
                }
            }
        });
    }
    jobs
});

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let (done, thumbnail) = oneshot::channel();
    let job = Box::new(move || {
        let work = AssertUnwindSafe(|| std::fs::read(path).map(|raw| codec.resize(&raw)));
        let crashed = |_| Err(io::Error::other("the codec panicked"));
        let _ = done.send(catch_unwind(work).unwrap_or_else(crashed));
    });
    JOBS.send(job)
        .map_err(|_| io::Error::other("the image threads are gone"))?;
    thumbnail.await.map_err(io::Error::other)?
}
