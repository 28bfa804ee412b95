// wrong: check_failed other_requests_go_on_meanwhile — what came in, not what went out

use std::sync::Arc;

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
    let per_image: Vec<u64> = imgs.iter().map(|img| img.raw.len() as u64).collect();
    let _ = codec;
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
