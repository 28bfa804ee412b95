// wrong: check_failed pictures_are_resized_at_the_same_time — one job, one thread, one picture at a time

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
    let job = spawn_blocking(move || {
        imgs.iter()
            .map(|img| codec.resize(img).len() as u64)
            .collect::<Vec<_>>()
    });
    let per_image = job.await.unwrap();
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
