// right: four at a time, and the sum at the end

use std::sync::Arc;

use futures::{StreamExt, stream};
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
    let per_image: Vec<u64> = stream::iter(imgs)
        .map(|img| {
            let codec = codec.clone();
            async move {
                spawn_blocking(move || codec.resize(&img).len() as u64)
                    .await
                    .unwrap()
            }
        })
        .buffered(4)
        .collect()
        .await;
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
