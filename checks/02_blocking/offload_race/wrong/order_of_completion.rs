// wrong: check_failed every_picture_has_its_own_bytes — the total is right; the bytes stand beside other pictures

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
    let mut jobs = JoinSet::new();
    for img in imgs {
        let codec = codec.clone();
        jobs.spawn_blocking(move || codec.resize(&img).len() as u64);
    }
    let per_image = jobs.join_all().await;
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
