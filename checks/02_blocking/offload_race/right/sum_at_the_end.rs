// right: nothing is shared: the total is the sum of what the jobs return

use std::sync::Arc;

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
    let jobs: Vec<_> = imgs
        .into_iter()
        .map(|img| {
            let codec = codec.clone();
            spawn_blocking(move || codec.resize(&img).len() as u64)
        })
        .collect();
    let mut per_image = Vec::with_capacity(jobs.len());
    for job in jobs {
        per_image.push(job.await.unwrap());
    }
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
