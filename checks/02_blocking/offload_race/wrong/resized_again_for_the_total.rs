// wrong: check_failed every_picture_is_resized_once — the total is taken in a second pass over the pictures

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
    let imgs: Vec<Arc<Img>> = imgs.into_iter().map(Arc::new).collect();
    let mut passes = Vec::new();
    for _ in 0..2 {
        let jobs: Vec<_> = imgs
            .iter()
            .map(|img| {
                let (img, codec) = (img.clone(), codec.clone());
                spawn_blocking(move || codec.resize(&img).len() as u64)
            })
            .collect();
        let mut per_image = Vec::new();
        for job in jobs {
            per_image.push(job.await.unwrap());
        }
        passes.push(per_image);
    }
    Stats {
        total_out: passes[1].iter().sum(),
        per_image: passes.swap_remove(0),
    }
}
