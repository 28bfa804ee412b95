// right: a `JoinSet`, each answer with the index of its picture

use std::sync::Arc;

use tokio::task::JoinSet;

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
    let mut per_image = vec![0; imgs.len()];
    let mut jobs = JoinSet::new();
    for (i, img) in imgs.into_iter().enumerate() {
        let codec = codec.clone();
        jobs.spawn_blocking(move || (i, codec.resize(&img).len() as u64));
    }
    let mut total_out = 0;
    while let Some(job) = jobs.join_next().await {
        let (i, bytes) = job.unwrap();
        per_image[i] = bytes;
        total_out += bytes;
    }
    Stats {
        total_out,
        per_image,
    }
}
