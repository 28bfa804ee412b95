// wrong: check_failed pictures_are_resized_at_the_same_time — each job is awaited right after its start

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
    let mut per_image = Vec::new();
    for img in imgs {
        let codec = codec.clone();
        let job = spawn_blocking(move || codec.resize(&img).len() as u64);
        per_image.push(job.await.unwrap());
    }
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
