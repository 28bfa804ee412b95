// wrong: check_failed crash_after_crash_leaves_the_service_whole — a crash ends a thread of the pool; the customer gets an error, and after the fourth nobody gets anything

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::{LazyLock, Mutex, mpsc};

use tokio::sync::oneshot;

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

type Job = Box<dyn FnOnce() + Send>;

static JOBS: LazyLock<mpsc::Sender<Job>> = LazyLock::new(|| {
    let (jobs, queue) = mpsc::channel::<Job>();
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
        let _ = done.send(std::fs::read(path).map(|raw| codec.resize(&raw)));
    });
    JOBS.send(job)
        .map_err(|_| io::Error::other("the image threads are gone"))?;
    let crashed = |_| Err(io::Error::other("the codec panicked"));
    thumbnail.await.unwrap_or_else(crashed)
}
