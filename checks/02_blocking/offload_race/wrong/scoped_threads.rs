// wrong: hung:blocked other_requests_go_on_meanwhile — the threads are right, and the scope waits for them on ours

use std::sync::Arc;
use std::thread;

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
    let per_image: Vec<u64> = thread::scope(|scope| {
        let jobs: Vec<_> = imgs
            .iter()
            .map(|img| scope.spawn(|| codec.resize(img).len() as u64))
            .collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect()
    });
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
