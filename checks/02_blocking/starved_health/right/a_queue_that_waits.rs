// right: a bounded queue in front of a thread for images; who finds it full waits as a task, not as a thread

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use tokio::sync::{mpsc, oneshot};

/// The vendor's image library. One call takes a second or two.
pub trait Codec: Send + Sync {
    fn resize(&self, raw: &[u8]) -> Vec<u8>;
}

type Job = Box<dyn FnOnce() + Send>;

static JOBS: LazyLock<mpsc::Sender<Job>> = LazyLock::new(|| {
    let (jobs, mut queue) = mpsc::channel::<Job>(8);
    std::thread::spawn(move || {
        while let Some(job) = queue.blocking_recv() {
            job();
        }
    });
    jobs
});

pub async fn make_thumbnail(path: PathBuf, codec: Arc<dyn Codec>) -> io::Result<Vec<u8>> {
    let (done, thumbnail) = oneshot::channel();
    let job = Box::new(move || {
        let work = AssertUnwindSafe(|| std::fs::read(path).map(|raw| codec.resize(&raw)));
        let crashed = |_| Err(io::Error::other("the codec panicked"));
        let _ = done.send(catch_unwind(work).unwrap_or_else(crashed));
    });
    let gone = |_| io::Error::other("the image thread is gone");
    JOBS.send(job).await.map_err(gone)?;
    thumbnail.await.map_err(io::Error::other)?
}
