// right: the scope of threads is on the blocking pool, so it holds no worker

use std::sync::Arc;
use std::thread;

use tokio::task::spawn_blocking;

pub struct Img {
    pub raw: Vec<u8>,
}

pub trait Codec: Send + Sync {
    fn resize(&self, img: &Img) -> Vec<u8>;
}

#[derive(Debug, PartialEq, Eq)]
pub struct Stats {
    pub total_out: u64,
    pub per_image: Vec<u64>,
}

pub async fn resize_all(imgs: Vec<Img>, codec: Arc<dyn Codec>) -> Stats {
    let job = spawn_blocking(move || {
        let half = imgs.len().div_ceil(2).max(1);
        thread::scope(|scope| {
            let (codec, halves) = (&codec, imgs.chunks(half));
            let threads: Vec<_> = halves
                .map(|half| {
                    scope.spawn(move || {
                        half.iter()
                            .map(|img| codec.resize(img).len() as u64)
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect::<Vec<u64>>()
        })
    });
    let per_image = job.await.unwrap();
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
